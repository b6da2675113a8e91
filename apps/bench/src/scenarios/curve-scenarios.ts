import { conversationBody } from '../requests/bodies.js';
import { measureStreams, type StreamShape } from './streams-scenario.js';
import type { Scenario, ScenarioResult } from './scenario.js';
import { measureWhole } from './whole-scenario.js';

const SECONDS = 1.5;

export interface CurvePoints {
  readonly messages: readonly number[];
  readonly streams: readonly number[];
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
          id: `messages-${count}`, title: `${count} messages in a request`, body: conversationBody(count), connections: 16, seconds: SECONDS, warmUpSeconds: 0.5,
          subjects: ['express', 'tollgate', 'tollgate-compared', 'portkey'],
        }));
      }
      return results;
    },
  };
}

/** The events of many streams together come at about the same rate, however many streams they belong to. */
export function curveShape(streams: number): StreamShape {
  const intervalMilliseconds = Math.max(10, Math.round(streams / 5));
  return { streams, events: 20, intervalMilliseconds, seconds: 3 };
}

/** What an event costs by how many streams there are. */
function streamsCurve(points: readonly number[]): Scenario {
  return {
    id: 'concurrency',
    title: 'Cost by concurrent streams',
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const streams of points) {
        const plan = { id: `streams-${streams}`, title: `${streams} concurrent streams`, shape: curveShape(streams) };
        results.push(...await measureStreams(bench, plan));
      }
      return results;
    },
  };
}

export function curveScenarios({ messages, streams }: CurvePoints): readonly Scenario[] {
  return [messagesCurve(messages), streamsCurve(streams)];
}
