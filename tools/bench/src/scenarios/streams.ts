import { medianOf } from '@tollgate/kit';
import { targetOf } from '../load/load-generator.js';
import { streamedBody } from '../load/requests.js';
import type { MeasuredProcess, RunningSubject, SubjectId } from '../subjects/subject.js';
import { streamingModel } from '../upstream/replies.js';
import {
  type Bench, expectedSeconds, type Figure, inRounds, type Measurement, type Pace, type Pacing, type Scenario, type ScenarioResult, useOf,
  type WarmUp,
} from './scenario.js';
import { added } from './whole-requests.js';

export interface StreamShape {
  readonly streams: number;
  readonly events: number;
  readonly intervalMilliseconds: number;
  readonly seconds: number;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** Warm-up, to which the duration of a stream is added. */
const WARM_UP: WarmUp = { work: 'streams', gatewaySeconds: 3, passThroughSeconds: 3 };

const EVENT_FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per event', unit: 'µs', compared: 'ratio' },
  { id: 'memory', title: 'memory', unit: 'MiB', compared: 'ratio' },
  { id: 'loop', title: 'loop delay p99', unit: 'ms', compared: 'none' },
  { id: 'broken', title: 'broken streams', unit: '', compared: 'none' },
];

const FIRST_TOKEN_FIGURES: readonly Figure[] = [
  { id: 'p50', title: 'added p50', unit: 'ms', compared: 'ratio' },
  { id: 'p99', title: 'added p99', unit: 'ms', compared: 'ratio' },
];

export function modelOf({ events, intervalMilliseconds }: StreamShape): string {
  return streamingModel(events, intervalMilliseconds);
}

interface StreamPlan {
  readonly id: string;
  readonly title: string;
  readonly shape: StreamShape;
  readonly subjects: readonly SubjectId[];
}

function withOnly(measurements: readonly Measurement[], figures: readonly Figure[]): readonly Measurement[] {
  return measurements.map((measurement) => ({
    ...measurement, values: Object.fromEntries(figures.map(({ id }) => [id, measurement.values[id] ?? 0])),
  }));
}

/** Seconds between the first and the last event of a stream. */
function streamSeconds({ events, intervalMilliseconds }: StreamShape): number {
  return (events * intervalMilliseconds) / 1000;
}

function pacingOf({ longRounds, secondsFactor }: Pace, { shape, subjects }: StreamPlan): Pacing {
  return { subjects, seldom: ['node'], rounds: longRounds, seconds: shape.seconds * secondsFactor, warmUp: WARM_UP };
}

function expectedOfStreams(bench: Pace, plan: StreamPlan): number {
  const pacing = pacingOf(bench, plan);
  return expectedSeconds(bench, { ...pacing, seconds: pacing.seconds + streamSeconds(plan.shape) });
}

/** Results of streams: CPU time per event, and the added time to the first token, compared with calls without a server in between. */
export function streamResults({ id, title, subjects }: StreamPlan, measurements: readonly Measurement[]): readonly ScenarioResult[] {
  const events: ScenarioResult = { id, title, baseline: 'express', figures: EVENT_FIGURES, measurements: withOnly(measurements, EVENT_FIGURES) };
  if (!subjects.includes('direct')) return [events];
  return [events, {
    id: `${id}-first-token`, title: `${title}: time to the first token`, baseline: 'express', figures: FIRST_TOKEN_FIGURES,
    measurements: added(withOnly(measurements, FIRST_TOKEN_FIGURES)),
  }];
}

async function measureStreams(bench: Bench, plan: StreamPlan): Promise<readonly ScenarioResult[]> {
  const { id, shape } = plan;
  const pacing = pacingOf(bench, plan);
  const body = streamedBody(modelOf(shape));
  const load = (subject: RunningSubject, seconds: number) => bench.load.run({
    load: 'streams', target: targetOf(subject, body), streams: shape.streams, eventsPerStream: shape.events,
    milliseconds: seconds * 1000, streamMilliseconds: streamSeconds(shape) * 1000,
  });
  const measurements = await inRounds(bench, {
    ...pacing,
    name: id,
    warm: load,
    measure: async (subject) => {
      await subject.process.watchLoop();
      const { result, cpuMicroseconds, residentBytes } = await useOf(subject, () => load(subject, pacing.seconds));
      const { p99Milliseconds } = await subject.process.loopDelay();
      const { p50, p99 } = result.firstToken;
      return {
        cpu: cpuMicroseconds / result.events, memory: residentBytes / BYTES_PER_MEBIBYTE, loop: p99Milliseconds, broken: result.brokenStreams, p50, p99,
      };
    },
  });
  return streamResults(plan, measurements);
}

export function streamsScenario(plan: StreamPlan): Scenario {
  return { id: plan.id, title: plan.title, expectedSeconds: (bench) => expectedOfStreams(bench, plan), run: (bench) => measureStreams(bench, plan) };
}

export const SOAK_SHAPE: StreamShape = { streams: 1000, events: 200, intervalMilliseconds: 50, seconds: 180 };

const SAMPLING_MILLISECONDS = 2000;

const SOAK_FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per event', unit: 'µs', compared: 'none' },
  { id: 'loop', title: 'loop delay p99', unit: 'ms', compared: 'none' },
  { id: 'stall', title: 'longest stall', unit: 'ms', compared: 'none' },
  { id: 'memory', title: 'most memory', unit: 'MiB', compared: 'none' },
  { id: 'growth', title: 'growth, 2nd half', unit: '%', compared: 'none' },
  { id: 'broken', title: 'broken streams', unit: '', compared: 'none' },
  { id: 'events', title: 'events', unit: '', compared: 'none' },
];

/** Samples the resident memory of a process until the returned function is called, which returns the samples in MiB. */
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

/** Growth in per cent from the second quarter of the samples to the last. The first quarter is the warm-up. */
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

/** Looks for lost events, long blocks of the event loop and memory leaks under many long streams. */
export const soakScenario: Scenario = {
  id: 'soak',
  title: '1,000 streams at 20 events a second',
  expectedSeconds: ({ secondsFactor }) => SOAK_SHAPE.seconds * secondsFactor + (SOAK_SHAPE.events * SOAK_SHAPE.intervalMilliseconds) / 1000,
  run: async (bench) => [{ id: 'soak', title: soakScenario.title, baseline: 'tollgate', figures: SOAK_FIGURES, measurements: await soak(bench) }],
};
