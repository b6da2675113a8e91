import { targetOf } from '../load/load-generator.js';
import { type Body, responsesBody, streamedBody, typicalBody } from '../load/requests.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import { type Bench, expectedSeconds, type Figure, inRounds, type Pace, type Pacing, type Scenario, type ScenarioResult, useOf, type WarmUp } from './scenario.js';
import { modelOf, type StreamShape } from './streams.js';

const SUBJECTS: readonly SubjectId[] = ['tollgate'];
const RESPONSES_PATH = '/v1/responses';
const CONNECTIONS = 16;
/** Seconds of a load; a round has three loads. */
const SECONDS = 0.8;
const WARM_UP: WarmUp = { work: 'formats', gatewaySeconds: 12, passThroughSeconds: 0 };

const FORMAT_STREAMS: StreamShape = { streams: 100, events: 200, intervalMilliseconds: 10, seconds: 1 };

const FIGURES: readonly Figure[] = [
  { id: 'chat', title: 'chat', unit: 'µs', compared: 'none' },
  { id: 'unkept', title: 'responses, store: false', unit: '× chat', compared: 'none' },
  { id: 'kept', title: 'responses, kept', unit: '× chat', compared: 'none' },
];

/** Measures what a load costs, in microseconds of CPU time. */
type Cost = (subject: RunningSubject, body: Body, seconds: number) => Promise<number>;

interface Forms {
  readonly chat: Body;
  readonly unkept: Body;
  readonly kept: Body;
}

function formsOf(chat: Body): Forms {
  return { chat, unkept: responsesBody(chat, { store: false }), kept: responsesBody(chat, { store: true }) };
}

function asResponses(subject: RunningSubject): RunningSubject {
  return { ...subject, path: RESPONSES_PATH };
}

function pacingOf({ longRounds, secondsFactor }: Pace): Pacing {
  return { subjects: SUBJECTS, seldom: [], rounds: longRounds, seconds: 3 * SECONDS * secondsFactor, warmUp: WARM_UP };
}

async function measureForms(bench: Bench, { id, title, forms, cost }: { readonly id: string; readonly title: string; readonly forms: Forms; readonly cost: Cost }): Promise<ScenarioResult> {
  const seconds = SECONDS * bench.secondsFactor;
  const measurements = await inRounds(bench, {
    ...pacingOf(bench),
    name: id,
    warm: async (subject, warmSeconds) => {
      await cost(subject, forms.chat, warmSeconds / 3);
      await cost(asResponses(subject), forms.unkept, warmSeconds / 3);
      await cost(asResponses(subject), forms.kept, warmSeconds / 3);
    },
    measure: async (subject) => {
      const chat = await cost(subject, forms.chat, seconds);
      const unkept = await cost(asResponses(subject), forms.unkept, seconds);
      const kept = await cost(asResponses(subject), forms.kept, seconds);
      return { chat, unkept: unkept / chat, kept: kept / chat };
    },
  });
  return { id, title, baseline: 'tollgate', figures: FIGURES, measurements };
}

/** Measures what a request costs in the responses format, compared with the chat format: whole, per event of a stream, stored and not stored. */
export const formatsScenario: Scenario = {
  id: 'formats',
  title: 'Responses beside chat completions',
  expectedSeconds: (bench) => 2 * expectedSeconds(bench, pacingOf(bench)),
  run: async (bench) => {
    const whole: Cost = async (subject, body, seconds) => {
      const load = { load: 'closed', target: targetOf(subject, body), connections: CONNECTIONS, milliseconds: seconds * 1000 } as const;
      const { result, cpuMicroseconds } = await useOf(subject, () => bench.load.run(load));
      return cpuMicroseconds / result.completed;
    };
    const event: Cost = async (subject, body, seconds) => {
      const { streams, events, intervalMilliseconds } = FORMAT_STREAMS;
      const load = {
        load: 'streams', target: targetOf(subject, body), streams, eventsPerStream: events, milliseconds: seconds * 1000, streamMilliseconds: events * intervalMilliseconds,
      } as const;
      const { result, cpuMicroseconds } = await useOf(subject, () => bench.load.run(load));
      if (result.brokenStreams > 0) throw new Error(`${result.brokenStreams} streams were incomplete`);
      return cpuMicroseconds / result.events;
    };
    return [
      await measureForms(bench, { id: 'formats-whole', title: 'An agent\'s whole request, by format', forms: formsOf(typicalBody()), cost: whole }),
      await measureForms(bench, { id: 'formats-event', title: 'An event of a stream, by format', forms: formsOf(streamedBody(modelOf(FORMAT_STREAMS))), cost: event }),
    ];
  },
};
