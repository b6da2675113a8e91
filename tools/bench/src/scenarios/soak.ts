import { targetOf } from '../load/load-generator.js';
import { streamedBody } from '../load/bodies.js';
import { medianOf } from '@tollgate/kit';
import type { MeasuredProcess } from '../processes/measured-process.js';
import { useOf } from './rounds.js';
import type { Bench, Figure, Measurement, Scenario } from './scenario.js';
import { modelOf, type StreamShape } from './streams.js';

/** A thousand streams of twenty events a second each, for three minutes. */
export const SOAK_SHAPE: StreamShape = { streams: 1000, events: 200, intervalMilliseconds: 50, seconds: 180 };

const BYTES_PER_MEBIBYTE = 1024 * 1024;
const SAMPLING_MILLISECONDS = 2000;

const FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per event', unit: 'µs', compared: 'none' },
  { id: 'loop', title: 'loop delay p99', unit: 'ms', compared: 'none' },
  { id: 'stall', title: 'longest stall', unit: 'ms', compared: 'none' },
  { id: 'memory', title: 'most memory', unit: 'MiB', compared: 'none' },
  { id: 'growth', title: 'growth, 2nd half', unit: '%', compared: 'none' },
  { id: 'broken', title: 'broken streams', unit: '', compared: 'none' },
  { id: 'events', title: 'events', unit: '', compared: 'none' },
];

/** Notes a process's memory until it is stopped, and returns what was noted, in MiB. */
function watchMemory(process: MeasuredProcess): () => readonly number[] {
  const noted: number[] = [];
  const timer = setInterval(() => {
    void process.sample().then(({ residentBytes }) => noted.push(residentBytes / BYTES_PER_MEBIBYTE));
  }, SAMPLING_MILLISECONDS);
  return () => {
    clearInterval(timer);
    return noted;
  };
}

/** By how much the last quarter of some values lies above the second, in per cent: the first is the climb to the usual. */
export function growthOf(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  const before = medianOf(values.slice(quarter, 2 * quarter)) ?? 0;
  const after = medianOf(values.slice(3 * quarter)) ?? 0;
  return before === 0 ? 0 : (after / before - 1) * 100;
}

async function soak(bench: Bench): Promise<readonly Measurement[]> {
  const { streams, events, intervalMilliseconds, seconds } = SOAK_SHAPE;
  const subject = bench.subjects.find(({ id }) => id === 'tollgate');
  if (subject === undefined) return [];
  bench.say(`soak: ${streams} streams for ${seconds * bench.secondsFactor} seconds`);
  await subject.process.watchLoop();
  const endWatch = watchMemory(subject.process);
  const { result, cpuMicroseconds } = await useOf(subject, () => bench.load.run({
    load: 'streams', target: targetOf(subject, streamedBody(modelOf(SOAK_SHAPE))), streams, eventsPerStream: events,
    milliseconds: seconds * bench.secondsFactor * 1000, streamMilliseconds: events * intervalMilliseconds,
  }));
  const memory = endWatch();
  const { p99Milliseconds, longestMilliseconds } = await subject.process.loopDelay();
  const values = {
    cpu: cpuMicroseconds / result.events, loop: p99Milliseconds, stall: longestMilliseconds, memory: Math.max(...memory), growth: growthOf(memory),
    broken: result.brokenStreams, events: result.events,
  };
  return [{ subject: subject.id, title: subject.title, round: 1, values }];
}

/** Whether many streams over a long time lose anything, hold anything up or pile anything up. */
export const soakScenario: Scenario = {
  id: 'soak',
  title: '1,000 streams at 20 events a second',
  expectedSeconds: ({ secondsFactor }) => SOAK_SHAPE.seconds * secondsFactor + (SOAK_SHAPE.events * SOAK_SHAPE.intervalMilliseconds) / 1000,
  run: async (bench) => [{ id: 'soak', title: soakScenario.title, baseline: 'tollgate', figures: FIGURES, measurements: await soak(bench) }],
};
