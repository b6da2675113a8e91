import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { type Behaviour, chatChunk, checkChatStream, checkMessagesStream, checkResponsesStream, framesOf, sendsRaw } from '@tollgate/testkit';
import type { Format } from '../acceptance/support/formats.js';
import { type Kind, PATHS, ReplyWorld } from './support/reply-world.js';

const WORDS = 'I cannot help with that.';
const PIECES = ['I cannot ', 'help with that.'];
const CHAT_USAGE = { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 };
const RESPONSES_USAGE = { input_tokens: 12, output_tokens: 6, total_tokens: 18 };

interface Refusing {
  readonly stream: readonly JsonObject[];
  readonly whole: JsonObject;
}

const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'refusal', refusal: WORDS }] };
const response = { object: 'response', status: 'completed', error: null, incomplete_details: null, output: [item], usage: RESPONSES_USAGE };

/** Replies in which the model refuses, of the kinds of server that separate refusals from text. */
const REFUSING: Readonly<Record<Exclude<Kind, 'anthropic'>, Refusing>> = {
  openai: {
    stream: [chatChunk('m', { role: 'assistant', content: null, refusal: null }), ...PIECES.map((refusal) => chatChunk('m', { refusal })), chatChunk('m', {}, 'stop'), { choices: [], usage: CHAT_USAGE }],
    whole: { choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: WORDS }, finish_reason: 'stop' }], usage: CHAT_USAGE },
  },
  responses: {
    stream: [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }, ...PIECES.map((delta) => ({ type: 'response.refusal.delta', output_index: 0, delta })),
      { type: 'response.output_item.done', output_index: 0, item }, { type: 'response.completed', response },
    ],
    whole: response,
  },
};

function refuses(kind: Exclude<Kind, 'anthropic'>): Behaviour {
  return (request) => {
    if (request.body['stream'] !== true) return sendsRaw(JSON.stringify(REFUSING[kind].whole), 'application/json')(request);
    return sendsRaw(framesOf(REFUSING[kind].stream).join(''))(request);
  };
}

type Part = Readonly<Record<string, unknown>>;

/** Reads text, refusal and finish reason of a reply, by format; `expected` is the common result. */
const READERS: Readonly<Record<Format['name'], { readonly whole: (body: string) => unknown; readonly stream: (body: string) => unknown; readonly expected: unknown }>> = {
  chat: {
    whole: (body) => {
      const { choices: [choice] } = JSON.parse(body) as { readonly choices: readonly [{ readonly message: Part; readonly finish_reason: string }] };
      return { text: choice.message['content'], refusal: choice.message['refusal'], end: choice.finish_reason };
    },
    stream: (body) => {
      const { text, refusal, finishReason } = checkChatStream(body);
      return { text: text === '' ? null : text, refusal, end: finishReason };
    },
    expected: { text: null, refusal: WORDS, end: 'stop' },
  },
  messages: {
    whole: (body) => {
      const { content, stop_reason: end } = JSON.parse(body) as { readonly content: unknown; readonly stop_reason: string };
      return { content, end };
    },
    stream: (body) => {
      const { blocks, stopReason } = checkMessagesStream(body);
      return { content: blocks.map((block) => ({ type: block.type, text: block.type === 'text' ? block.text : '' })), end: stopReason };
    },
    expected: { content: [{ type: 'text', text: WORDS }], end: 'end_turn' },
  },
  responses: {
    whole: (body) => readOutput(JSON.parse(body) as JsonObject),
    stream: (body) => readOutput(checkResponsesStream(body).response),
    expected: { content: [[{ type: 'refusal', refusal: WORDS }]], status: 'completed' },
  },
};

function readOutput({ output, status }: Part): unknown {
  return { content: (output as readonly Part[]).map(({ content }) => content), status };
}

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

describe.each(PATHS.filter(([, , kind]) => kind !== 'anthropic'))('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it('gets a refusal by the model in the form that its format defines', async () => {
    world.script(`lonely-${kind}`, refuses(kind as Exclude<Kind, 'anthropic'>));
    const { body, charged } = await world.ask(format, delivery, `lonely-${kind}`);
    expect(READERS[format.name][delivery](body)).toEqual(READERS[format.name].expected);
    expect(charged).toMatchObject({ prompt: 12, output: 6 });
  });

  it('sends a refusal of the model back in the history, and the upstream gets it as the model’s text', async () => {
    world.script(`lonely-${kind}`, refuses(kind as Exclude<Kind, 'anthropic'>));
    const turns: Readonly<Record<Format['name'], JsonObject>> = {
      chat: { messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: null, refusal: WORDS }, { role: 'user', content: 'Why?' }] },
      messages: { messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [{ type: 'text', text: WORDS }] }, { role: 'user', content: 'Why?' }] },
      responses: { input: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [{ type: 'refusal', refusal: WORDS }] }, { role: 'user', content: 'Why?' }] },
    };
    expect(await world.ask(format, delivery, `lonely-${kind}`, turns[format.name])).toMatchObject({ status: 200 });
    expect(world.world.upstream.requests.at(-1)?.rawBody).toContain(WORDS);
  });
});
