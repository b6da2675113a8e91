import { conversationBody } from '../requests/bodies.js';
import type { SubjectId } from '../subjects/subject.js';
import type { Scenario, ScenarioResult } from './scenario.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-scenario.js';
import type { WarmUp } from './warmth.js';

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
