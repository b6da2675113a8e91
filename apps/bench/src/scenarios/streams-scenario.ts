import { targetOf } from '../load/load-generator.js';
import { streamedBody } from '../requests/bodies.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import { streamingModel } from '../upstream/reply-plan.js';
import { useOf } from './cpu-use.js';
import { added } from './latency-scenario.js';
import { inRounds } from './rounds.js';
import type { Bench, Figure, Measurement, Scenario, ScenarioResult } from './scenario.js';

export interface StreamShape {
  readonly streams: number;
  readonly events: number;
  readonly intervalMilliseconds: number;
  readonly seconds: number;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
const WARM_UP_SHARE = 1;

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

export const EVERYONE: readonly SubjectId[] = ['direct', 'node', 'express', 'tollgate', 'tollgate-compared', 'portkey'];

/** The models that the streams of a shape ask for. */
export function modelOf({ events, intervalMilliseconds }: StreamShape): string {
  return streamingModel(events, intervalMilliseconds);
}

export interface StreamPlan {
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

/** Many streams at once, whose events come one by one: what each event costs, and how long the first takes. */
export async function measureStreams(bench: Bench, { id, title, shape, subjects }: StreamPlan): Promise<readonly ScenarioResult[]> {
  const { streams, events, intervalMilliseconds, seconds } = shape;
  const body = streamedBody(modelOf(shape)).text;
  const load = (subject: RunningSubject, share: number) => bench.load.run({
    load: 'streams', target: targetOf(subject, body), streams, eventsPerStream: events,
    milliseconds: seconds * bench.secondsFactor * 1000 * share, streamMilliseconds: events * intervalMilliseconds,
  });
  const measurements = await inRounds(bench, {
    subjects,
    name: id,
    warmUp: (subject) => load(subject, WARM_UP_SHARE),
    measure: async (subject) => {
      await subject.process.watchLoop();
      const { result, cpuMicroseconds, residentBytes } = await useOf(subject, () => load(subject, 1));
      const { p99Milliseconds } = await subject.process.loopDelay();
      const { p50, p99 } = result.firstToken;
      return {
        cpu: cpuMicroseconds / result.events, memory: residentBytes / BYTES_PER_MEBIBYTE, loop: p99Milliseconds, broken: result.brokenStreams, p50, p99,
      };
    },
  });
  const firstToken = added(withOnly(measurements, FIRST_TOKEN_FIGURES));
  return [
    { id, title, baseline: 'express', figures: EVENT_FIGURES, measurements: withOnly(measurements, EVENT_FIGURES) },
    { id: `${id}-first-token`, title: `${title}: time to the first token`, baseline: 'express', figures: FIRST_TOKEN_FIGURES, measurements: firstToken },
  ];
}

/** A scenario of one shape of streams. */
export function streamsScenario(plan: StreamPlan): Scenario {
  return { id: plan.id, title: plan.title, run: (bench) => measureStreams(bench, plan) };
}
