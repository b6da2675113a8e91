import { targetOf } from '../load/load-generator.js';
import { type Body, conversationBody } from '../load/requests.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import {
  type Bench, expectedSeconds, type Figure, inRounds, type Pace, type Pacing, type Scenario, type ScenarioResult, useOf, type WarmUp,
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

/** About how many seconds a whole measurement takes. */
export function expectedOfWhole(bench: Pace, options: WholeOptions): number {
  return expectedSeconds(bench, pacingOf(bench, options));
}

/** Whole replies as fast as they come: what a request costs, and how many there can be in a second. */
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

/** A scenario of one body. */
export function wholeScenario(options: WholeOptions): Scenario {
  const { id, title } = options;
  return { id, title, expectedSeconds: (bench) => expectedOfWhole(bench, options), run: async (bench) => [await measureWhole(bench, options)] };
}

const SECONDS = 0.45;
/** Curves show how a cost grows, for which the one to compare with is enough. */
const COMPARED: readonly SubjectId[] = ['express', 'tollgate', 'tollgate-compared'];
const WARM_UP: WarmUp = { work: 'messages', gatewaySeconds: 4, passThroughSeconds: 2 };
const LEAST_MESSAGES = 10;
const MOST_MESSAGES = 200;

function costIn(result: ScenarioResult | undefined, round: number): number {
  return result?.measurements.find((measurement) => measurement.subject === 'tollgate' && measurement.round === round)?.values['cpu'] ?? Number.NaN;
}

/** The most messages beside what they would cost if each cost as much as those between the least and half as many. */
export function linearityOf(results: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const [least, half, most] = [LEAST_MESSAGES, MOST_MESSAGES / 2, MOST_MESSAGES].map((count) => results.find(({ id }) => id === `messages-${count}`));
  if (least === undefined || half === undefined || most === undefined) return [];
  const measurements = most.measurements.filter(({ subject }) => subject === 'tollgate').map((measurement) => {
    const each = (costIn(half, measurement.round) - costIn(least, measurement.round)) / (MOST_MESSAGES / 2 - LEAST_MESSAGES);
    const expected = costIn(half, measurement.round) + each * (MOST_MESSAGES / 2);
    return { ...measurement, values: { excess: costIn(most, measurement.round) / expected } };
  });
  return [{
    id: 'messages-linear', title: `${MOST_MESSAGES} messages beside what the fewer of them cost, each as much`, baseline: 'tollgate', measurements,
    figures: [{ id: 'excess', title: 'of the linear cost', unit: '×', compared: 'none' }],
  }];
}

function ofMessages(count: number): WholeOptions {
  return {
    id: `messages-${count}`, title: `${count} messages in a request`, body: conversationBody(count), connections: 16, seconds: SECONDS, warmUp: WARM_UP,
    subjects: COMPARED,
  };
}

/** Those with the most messages come first, and warm up for the others. */
const PLANS = [MOST_MESSAGES, MOST_MESSAGES / 2, LEAST_MESSAGES].map(ofMessages);

/** What a request costs by how many messages it has. */
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
