import { conversationBody } from '../requests/bodies.js';
import type { SubjectId } from '../subjects/subject.js';
import { expectedOfStreams, measureStreams, type StreamPlan, type StreamShape } from './streams-scenario.js';
import type { Scenario, ScenarioResult } from './scenario.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-scenario.js';
import type { WarmUp } from './warmth.js';

const SECONDS = 0.45;
/** Curves show how a cost grows, for which the one to compare with is enough. */
const COMPARED: readonly SubjectId[] = ['express', 'tollgate', 'tollgate-compared'];
const WARM_UP: WarmUp = { work: 'messages', gatewaySeconds: 4, passThroughSeconds: 2 };
const LEAST_MESSAGES = 10;
const MOST_MESSAGES = 200;

export interface CurvePoints {
  readonly messages: readonly number[];
  readonly streams: readonly number[];
}

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

/** What a request costs by how many messages it has. Those with the most come first, and warm up for the others. */
function messagesCurve(points: readonly number[]): Scenario {
  const plans = points.toSorted((a, b) => b - a).map(ofMessages);
  return {
    id: 'messages',
    title: 'Cost by messages in a request',
    expectedSeconds: (bench) => plans.reduce((sum, plan) => sum + expectedOfWhole(bench, plan), 0),
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const plan of plans) results.unshift(await measureWhole(bench, plan));
      return [...results, ...linearityOf(results)];
    },
  };
}

/** The events of many streams together come at about the same rate, however many streams they belong to. */
export function curveShape(streams: number): StreamShape {
  const intervalMilliseconds = Math.max(10, Math.round(streams / 10));
  return { streams, events: 20, intervalMilliseconds, seconds: 0.6 };
}

function ofStreams(streams: number): StreamPlan {
  return { id: `streams-${streams}`, title: `${streams} concurrent streams`, shape: curveShape(streams), subjects: COMPARED };
}

/** What an event costs by how many streams there are. */
function streamsCurve(points: readonly number[]): Scenario {
  const plans = points.map(ofStreams);
  return {
    id: 'concurrency',
    title: 'Cost by concurrent streams',
    expectedSeconds: (bench) => plans.reduce((sum, plan) => sum + expectedOfStreams(bench, plan), 0),
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const plan of plans) results.push(...await measureStreams(bench, plan));
      return results;
    },
  };
}

/** The curves of requests; those of databases are a matter of growth. */
export function curveScenarios({ messages, streams }: CurvePoints): readonly Scenario[] {
  return [messagesCurve(messages), streamsCurve(streams)];
}
