import { conversationBody } from '../requests/bodies.js';
import type { SubjectId } from '../subjects/subject.js';
import { measureStreams, type StreamShape } from './streams-scenario.js';
import type { Scenario, ScenarioResult } from './scenario.js';
import { measureWhole } from './whole-scenario.js';

const SECONDS = 1.5;
/** Curves show how a cost grows, for which the one to compare with is enough. */
const COMPARED: readonly SubjectId[] = ['express', 'tollgate', 'tollgate-compared'];
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

/** What a request costs by how many messages it has. */
function messagesCurve(points: readonly number[]): Scenario {
  return {
    id: 'messages',
    title: 'Cost by messages in a request',
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const count of points) {
        results.push(await measureWhole(bench, {
          id: `messages-${count}`, title: `${count} messages in a request`, body: conversationBody(count), connections: 16, seconds: SECONDS, warmUpSeconds: 2,
          subjects: COMPARED,
        }));
      }
      return [...results, ...linearityOf(results)];
    },
  };
}

/** The events of many streams together come at about the same rate, however many streams they belong to. */
export function curveShape(streams: number): StreamShape {
  const intervalMilliseconds = Math.max(10, Math.round(streams / 5));
  return { streams, events: 20, intervalMilliseconds, seconds: 1.5 };
}

/** What an event costs by how many streams there are. */
function streamsCurve(points: readonly number[]): Scenario {
  return {
    id: 'concurrency',
    title: 'Cost by concurrent streams',
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const streams of points) {
        const plan = { id: `streams-${streams}`, title: `${streams} concurrent streams`, shape: curveShape(streams), subjects: COMPARED };
        results.push(...await measureStreams(bench, plan));
      }
      return results;
    },
  };
}

export function curveScenarios({ messages, streams }: CurvePoints): readonly Scenario[] {
  return [messagesCurve(messages), streamsCurve(streams)];
}
