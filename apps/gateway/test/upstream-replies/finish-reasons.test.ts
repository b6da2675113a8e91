import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { type Behaviour, chatChunk, framesOf, replies, sendsRaw } from '@tollgate/testkit';
import { CHAT, type Delivery, type Format } from '../acceptance/support/formats.js';
import { type Answer, type Kind, PATHS, ReplyWorld } from './support/reply-world.js';

const SAID = ['Once ', 'upon '];
const BEFORE_OUTPUT = ['error', 'network_error', 'timeout', 'cancelled'];
const CUT = ['MAX_TOKENS', 'model_length', 'max_output_tokens'];
const FILTERED = ['SAFETY', 'content_filtered', 'recitation'];

/** Finish reason of a reply that is cut at its maximum, by format. */
const LENGTH: Readonly<Record<Format['name'], string>> = { chat: 'length', messages: 'max_tokens', responses: 'max_output_tokens' };
const FILTER: Readonly<Record<Format['name'], string>> = { chat: 'content_filter', messages: 'end_turn', responses: 'content_filter' };

/** The expected outcome of a reply that breaks off: a whole reply is free; the received part of a stream is charged. */
function brokenOff(delivery: Delivery, text: string): JsonObject {
  if (delivery === 'whole') return { status: 503, error: 'provider_unavailable', charged: { debited: '0' }, record: { reason: 'provider_unavailable' } };
  return { status: 200, text, error: 'provider_unavailable', stop: null, record: { reason: 'provider_failed', usage: { source: 'counted' } } };
}

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

function ask(format: Format, delivery: Delivery, ...[model, behaviour]: readonly [string, Behaviour]): Promise<Answer> {
  world.script(model, behaviour);
  return world.ask(format, delivery, model);
}

describe.each(PATHS)('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it.each(BEFORE_OUTPUT)('is served by the fallback if the upstream ends with %s before any output', async (finishReason) => {
    const answer = await ask(format, delivery, kind, replies({ finishReason }));
    expect(answer).toMatchObject({ status: 200, text: 'Hello from up-backup.', record: { reason: 'completed', service: { servedBy: 'backup', fallbackUsed: true } } });
  });

  it.each(BEFORE_OUTPUT)('pays nothing if the upstream ends with %s before any output and there is no fallback', async (finishReason) => {
    const answer = await ask(format, delivery, `lonely-${kind}`, replies({ finishReason }));
    expect(answer).toMatchObject({ status: 503, error: 'provider_unavailable', charged: { debited: '0' }, record: { reason: 'provider_unavailable' } });
  });

  it.each(BEFORE_OUTPUT)('does not get a reply that ends with %s as a complete one', async (finishReason) => {
    const answer = await ask(format, delivery, `lonely-${kind}`, replies({ text: SAID, finishReason }));
    expect(answer).toMatchObject(brokenOff(delivery, 'Once upon '));
  });

  it.each(CUT)('gets a reply marked as truncated for the finish reason %s', async (finishReason) => {
    expect(await ask(format, delivery, `lonely-${kind}`, replies({ text: SAID, finishReason }))).toMatchObject({ status: 200, text: 'Once upon ', stop: LENGTH[format.name], error: null });
  });

  it.each(FILTERED)('gets a reply marked as filtered for the finish reason %s', async (finishReason) => {
    expect(await ask(format, delivery, `lonely-${kind}`, replies({ text: SAID, finishReason }))).toMatchObject({ status: 200, text: 'Once upon ', stop: FILTER[format.name], error: null });
  });

  it('gets a reply marked as truncated for an unknown finish reason', async () => {
    expect(await ask(format, delivery, `lonely-${kind}`, replies({ text: SAID, finishReason: 'so_be_it' }))).toMatchObject({ status: 200, text: 'Once upon ', stop: LENGTH[format.name] });
  });

  it('gets an error instead of the end of a reply that has no finish reason', async () => {
    const answer = await ask(format, delivery, `lonely-${kind}`, replies({ text: SAID, finishReason: null }));
    expect(answer).toMatchObject(brokenOff(delivery, 'Once upon '));
  });

  it.each(['stop', 'so_be_it', 'error'])('does not get a reply that ends with %s and an error as a complete one', async (finishReason) => {
    const answer = await ask(format, delivery, `lonely-${kind}`, failing(kind, finishReason));
    expect(answer).toMatchObject(brokenOff(delivery, 'Once'));
    expect(answer.body).not.toContain('secret');
  });
});

const ERROR = { message: 'a secret of the upstream', code: 502 };

/** An upstream that sends an error together with the finish reason. */
function failing(kind: Kind, finishReason: string): Behaviour {
  return (request) => {
    const { stream, whole } = FAILING[kind](finishReason);
    const streams = request.body['stream'] === true;
    return sendsRaw(streams ? framesOf(stream, { done: 'missing' }).join('') : JSON.stringify(whole), streams ? 'text/event-stream' : 'application/json')(request);
  };
}

interface Failing {
  readonly stream: readonly JsonObject[];
  readonly whole: JsonObject;
}

const MESSAGE_STOPS: Readonly<Record<string, string>> = { stop: 'end_turn' };
const STATUSES: Readonly<Record<string, string>> = { stop: 'completed' };

const FAILING: Readonly<Record<Kind, (finishReason: string) => Failing>> = {
  openai: (finish_reason) => ({
    stream: [chatChunk('m', { content: 'Once' }), { choices: [{ index: 0, delta: {}, finish_reason, error: ERROR }] }],
    whole: { choices: [{ index: 0, message: { content: 'Once' }, finish_reason, error: ERROR }] },
  }),
  anthropic: (reason) => {
    const ending = { stop_reason: MESSAGE_STOPS[reason] ?? reason, error: ERROR };
    return {
      stream: [
        { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Once' } },
        { type: 'content_block_stop', index: 0 }, { type: 'message_delta', delta: ending }, { type: 'message_stop' },
      ],
      whole: { type: 'message', content: [{ type: 'text', text: 'Once' }], ...ending },
    };
  },
  responses: (reason) => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Once' }] };
    const response = { object: 'response', status: STATUSES[reason] ?? 'incomplete', incomplete_details: reason === 'stop' ? null : { reason }, error: ERROR, output: [item] };
    return {
      stream: [{ type: 'response.output_item.done', output_index: 0, item }, { type: `response.${response.status}`, response }],
      whole: response,
    };
  },
};

it('the gateway logs an unknown finish reason once for each model and reason', async () => {
  const lines = () => world.lines.filter(({ msg }) => (msg as string).includes('unknown finish reason'));
  world.lines.length = 0;
  for (const finishReason of ['as_it_were', 'as_it_were', 'x'.repeat(500), '\u001b[31m']) await ask(CHAT, 'whole', 'lonely-openai', replies({ text: 'a', finishReason }));
  await ask(CHAT, 'stream', 'lonely-anthropic', replies({ text: 'a', finishReason: 'as_it_were' }));
  expect(lines().map(({ level, upstream, model, upstreamModel, finishReason }) => [level, upstream, model, upstreamModel, finishReason])).toEqual([
    [40, 'openai', 'lonely-openai', 'up-lonely-openai', 'as_it_were'], [40, 'openai', 'lonely-openai', 'up-lonely-openai', 'x'.repeat(64)],
    [40, 'openai', 'lonely-openai', 'up-lonely-openai', '\\u001b[31m'], [40, 'anthropic', 'lonely-anthropic', 'up-lonely-anthropic', 'as_it_were'],
  ]);
});

it('the gateway serves a reply whose connection breaks after the finish reason', async () => {
  const chunks = framesOf([chatChunk('m', { content: 'Once' }), chatChunk('m', {}, 'stop')], { done: 'missing' }).join('');
  const answer = await ask(CHAT, 'stream', 'lonely-openai', (request) => [...sendsRaw(chunks)(request).slice(0, -1), { type: 'reset' }]);
  expect(answer).toMatchObject({ status: 200, text: 'Once', stop: 'stop', error: null, record: { reason: 'completed' } });
});
