import { type LoadResult, targetOf } from '../load/load-generator.js';
import { type Body, conversationBody, smallBody } from '../load/requests.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import {
  type Bench, EVERYONE, expectedSeconds, type Figure, inRounds, type Measurement, type Pace, type Pacing, type Scenario,
  type ScenarioResult, SMALL_WARM_UP, useOf, type WarmUp,
} from './scenario.js';

export interface WholeOptions {
  readonly id: string;
  readonly title: string;
  readonly body: Body;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUp: WarmUp;
  readonly subjects: readonly SubjectId[];
}

const FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per request', unit: 'µs', compared: 'ratio' },
  { id: 'throughput', title: 'throughput', unit: '/s', compared: 'ratio' },
  { id: 'stall', title: 'longest stall', unit: 'ms', compared: 'none' },
];

function pacingOf({ rounds, secondsFactor }: Pace, { seconds, warmUp, subjects }: WholeOptions): Pacing {
  return { subjects, seldom: ['direct', 'node'], rounds, seconds: seconds * secondsFactor, warmUp };
}

export function expectedOfWhole(bench: Pace, options: WholeOptions): number {
  return expectedSeconds(bench, pacingOf(bench, options));
}

/** Measures what a request costs, and the maximum rate. */
export async function measureWhole(bench: Bench, options: WholeOptions): Promise<ScenarioResult> {
  const { id, title, body, connections } = options;
  const pacing = pacingOf(bench, options);
  const load = (subject: RunningSubject, seconds: number) => (
    bench.load.run({ load: 'closed', target: targetOf(subject, body), connections, milliseconds: seconds * 1000 }));
  const measurements = await inRounds(bench, {
    ...pacing,
    name: id,
    warm: load,
    measure: async (subject) => {
      await subject.process.watchLoop();
      const { result, cpuMicroseconds } = await useOf(subject, () => load(subject, pacing.seconds));
      const { longestMilliseconds } = await subject.process.loopDelay();
      return {
        cpu: cpuMicroseconds / result.completed,
        throughput: result.completed / (result.milliseconds / 1000),
        stall: longestMilliseconds,
      };
    },
  });
  return { id, title, baseline: 'express', figures: FIGURES, measurements };
}

export function wholeScenario(options: WholeOptions): Scenario {
  const { id, title } = options;
  return { id, title, expectedSeconds: (bench) => expectedOfWhole(bench, options), run: async (bench) => [await measureWhole(bench, options)] };
}

const MESSAGES_SECONDS = 0.45;
/** Subjects of the scenario `messages`. Of the pass-throughs, only the baseline is needed. */
const COMPARED: readonly SubjectId[] = ['express', 'tollgate', 'tollgate-compared'];
const WARM_UP: WarmUp = { work: 'messages', gatewaySeconds: 4, passThroughSeconds: 2 };
const MIN_MESSAGES = 10;
const MAX_MESSAGES = 200;

function costIn(result: ScenarioResult | undefined, round: number): number {
  return result?.measurements.find((measurement) => measurement.subject === 'tollgate' && measurement.round === round)?.values['cpu'] ?? Number.NaN;
}

/** The cost of the largest request, divided by the cost that the two smaller ones predict: 1 if the cost grows linearly. */
export function linearityOf(results: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const [least, half, most] = [MIN_MESSAGES, MAX_MESSAGES / 2, MAX_MESSAGES].map((count) => results.find(({ id }) => id === `messages-${count}`));
  if (least === undefined || half === undefined || most === undefined) return [];
  const measurements = most.measurements.filter(({ subject }) => subject === 'tollgate').map((measurement) => {
    const each = (costIn(half, measurement.round) - costIn(least, measurement.round)) / (MAX_MESSAGES / 2 - MIN_MESSAGES);
    const expected = costIn(half, measurement.round) + each * (MAX_MESSAGES / 2);
    return { ...measurement, values: { excess: costIn(most, measurement.round) / expected } };
  });
  return [{
    id: 'messages-linear', title: `${MAX_MESSAGES} messages beside what the fewer of them cost, each as much`, baseline: 'tollgate', measurements,
    figures: [{ id: 'excess', title: 'of the linear cost', unit: '×', compared: 'none' }],
  }];
}

function ofMessages(count: number): WholeOptions {
  return {
    id: `messages-${count}`, title: `${count} messages in a request`, body: conversationBody(count), connections: 16, seconds: MESSAGES_SECONDS, warmUp: WARM_UP,
    subjects: COMPARED,
  };
}

/** Scenarios by number of messages. The largest comes first, because it warms up the others. */
const PLANS = [MAX_MESSAGES, MAX_MESSAGES / 2, MIN_MESSAGES].map(ofMessages);

export const messagesScenario: Scenario = {
  id: 'messages',
  title: 'Cost by messages in a request',
  expectedSeconds: (bench) => PLANS.reduce((sum, plan) => sum + expectedOfWhole(bench, plan), 0),
  run: async (bench) => {
    const results: ScenarioResult[] = [];
    for (const plan of PLANS) results.unshift(await measureWhole(bench, plan));
    return [...results, ...linearityOf(results)];
  },
};

const REQUESTS_PER_SECOND = 500;
const LATENCY_SECONDS = 2;
const WARMING_CONNECTIONS = 32;

const LATENCY_FIGURES: readonly Figure[] = [
  { id: 'p50', title: 'added p50', unit: 'ms', compared: 'ratio' },
  { id: 'p99', title: 'added p99', unit: 'ms', compared: 'ratio' },
  { id: 'p999', title: 'added p99.9', unit: 'ms', compared: 'ratio' },
  { id: 'late', title: 'sent later, p99', unit: 'ms', compared: 'none' },
];

/** Durations, minus the duration of the direct connection in the same round. */
export function added(measurements: readonly Measurement[]): readonly Measurement[] {
  const direct = new Map(measurements.filter(({ subject }) => subject === 'direct').map(({ round, values }) => [round, values]));
  return measurements.filter(({ subject }) => subject !== 'direct').map((measurement) => ({
    ...measurement,
    values: Object.fromEntries(Object.entries(measurement.values).map(([figure, value]) => (
      [figure, value - (direct.get(measurement.round)?.[figure] ?? 0)]))),
  }));
}

function valuesOf({ latency: { p50, p99, p999 }, lateness }: LoadResult): Readonly<Record<string, number>> {
  return { p50, p99, p999, late: lateness.p99 };
}

/** Pacing with long rounds, so that rare long waits occur in each. */
function pacingOfLatency({ longRounds, secondsFactor }: Pace): Pacing {
  return { subjects: [...EVERYONE, 'durable'], seldom: ['node'], rounds: longRounds, seconds: LATENCY_SECONDS * secondsFactor, warmUp: SMALL_WARM_UP };
}

async function measureLatency(bench: Bench): Promise<ScenarioResult> {
  const pacing = pacingOfLatency(bench);
  const body = smallBody();
  const measurements = await inRounds(bench, {
    ...pacing,
    name: `latency at ${REQUESTS_PER_SECOND}/s`,
    // The warm-up is not paced, because it would take minutes at the measured rate.
    warm: (subject, seconds) => (
      bench.load.run({ load: 'closed', target: targetOf(subject, body), connections: WARMING_CONNECTIONS, milliseconds: seconds * 1000 })),
    measure: async (subject) => valuesOf(
      await bench.load.run({ load: 'open', target: targetOf(subject, body), perSecond: REQUESTS_PER_SECOND, milliseconds: pacing.seconds * 1000 })),
  });
  return {
    id: `latency-${REQUESTS_PER_SECOND}`, title: `Latency added at ${REQUESTS_PER_SECOND} small requests a second`, baseline: 'express', figures: LATENCY_FIGURES, measurements: added(measurements),
  };
}

/** Measures the duration that a subject adds to a reply, at a rate that leaves every subject idle time. */
export const latencyScenario: Scenario = {
  id: 'latency',
  title: 'Latency added at a fixed rate',
  expectedSeconds: (bench) => expectedSeconds(bench, pacingOfLatency(bench)),
  run: async (bench) => [await measureLatency(bench)],
};
