import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { checkChatStream, checkMessagesStream, checkResponsesStream, replies } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { FuzzWorld } from '../fuzz/support/fuzz-world.js';
import { runsOf } from './support/runs.js';
import { type Cutting, cutting, scripted, type SpokenReply, spokenReply } from './support/spoken-reply.js';

const RUNS = runsOf(30);

let world: FuzzWorld;

beforeAll(async () => {
  world = await FuzzWorld.start();
});

afterAll(async () => {
  await world.close();
});

interface ClientFormat {
  readonly target: string;
  readonly body: JsonObject;
  /** Throws `GrammarBreach` if the stream is invalid. */
  readonly readStream: (stream: string) => SpokenReply;
  readonly readWhole: (body: string) => SpokenReply;
}

interface ChatMessage {
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

type Block = { readonly type: 'text'; readonly text: string } | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input?: unknown; readonly inputJson?: string };

/** The reply in these blocks. Expects the order thinking, text, calls, and at most one block of thinking and of text. */
function replyOfBlocks(blocks: readonly Block[]): SpokenReply {
  expect(blocks.map(({ type }) => type).join(' ')).toMatch(/^(?:thinking)?(?: ?text)?(?: ?tool_use)*$/);
  const of = (type: Block['type']) => blocks.filter((block) => block.type === type);
  return {
    reasoning: of('thinking').map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    text: of('text').map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: blocks.flatMap((block) => (block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.inputJson ?? JSON.stringify(block.input) }] : [])),
  };
}

type Item = { readonly type: 'message'; readonly content: readonly { readonly text: string }[] }
  | { readonly type: 'reasoning'; readonly summary: readonly { readonly text: string }[] }
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string };

/** The reply in these items. Expects the order reasoning, text, calls, and at most one item of reasoning and of text. */
function replyOfItems(items: readonly Item[]): SpokenReply {
  expect(items.map(({ type }) => type).join(' ')).toMatch(/^(?:reasoning)?(?: ?message)?(?: ?function_call)*$/);
  const joined = (parts: readonly { readonly text: string }[]) => parts.map(({ text }) => text).join('');
  return {
    reasoning: items.map((item) => (item.type === 'reasoning' ? joined(item.summary) : '')).join(''),
    text: items.map((item) => (item.type === 'message' ? joined(item.content) : '')).join(''),
    toolCalls: items.flatMap((item) => (item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [])),
  };
}

const MESSAGE_FIELDS: JsonObject = { max_tokens: 4_000, messages: [{ role: 'user', content: 'Hello' }], thinking: { type: 'enabled', budget_tokens: 2_000 } };

const FORMATS: Readonly<Record<'chat' | 'messages' | 'responses', ClientFormat>> = {
  chat: {
    target: '/v1/chat/completions',
    body: MESSAGE_FIELDS,
    readStream: (stream) => {
      const { text, reasoning, toolCalls, error } = checkChatStream(stream);
      expect(error).toBeNull();
      return { text, reasoning: reasoning ?? '', toolCalls };
    },
    readWhole: (body) => {
      const { content, reasoning_content, tool_calls } = (JSON.parse(body) as { readonly choices: readonly [{ readonly message: ChatMessage }] }).choices[0].message;
      return { text: content ?? '', reasoning: reasoning_content ?? '', toolCalls: (tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })) };
    },
  },
  messages: {
    target: '/v1/messages',
    body: MESSAGE_FIELDS,
    readStream: (stream) => {
      const { blocks, error } = checkMessagesStream(stream);
      expect(error).toBeNull();
      return replyOfBlocks(blocks);
    },
    readWhole: (body) => replyOfBlocks((JSON.parse(body) as { readonly content: readonly Block[] }).content),
  },
  responses: {
    target: '/v1/responses',
    body: { max_output_tokens: 4_000, input: 'Hello', reasoning: { effort: 'high' }, store: false },
    readStream: (stream) => {
      const { items, error } = checkResponsesStream(stream);
      expect(error).toBeNull();
      return replyOfItems(items as unknown as readonly Item[]);
    },
    readWhole: (body) => replyOfItems((JSON.parse(body) as { readonly output: readonly Item[] }).output),
  },
};

/** The reply that a client reads; missing arguments become an empty object. */
function expected({ toolCalls, ...reply }: SpokenReply): SpokenReply {
  return { ...reply, toolCalls: toolCalls.map((call) => ({ ...call, arguments: call.arguments === '' ? '{}' : call.arguments })) };
}

async function ask(model: string, format: ClientFormat, stream: boolean): Promise<string> {
  const body = { ...format.body, model, stream };
  const [reply] = await world.client.send({
    method: 'POST', target: format.target, headers: [['authorization', 'Bearer $key'], ['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)), framing: { kind: 'sound' },
  });
  expect(reply?.status).toBe(200);
  return reply?.body ?? '';
}

const PAIRS = (['by-openai', 'by-anthropic', 'by-responses'] as const).flatMap((model) => (['chat', 'messages', 'responses'] as const).map((format) => [model, format] as const));

describe.each(PAIRS)('a reply that is served %s to a client of the %s format', (model, formatName) => {
  const format = FORMATS[formatName];
  const say = (reply: SpokenReply, how: Cutting): void => world.upstream.script(`up-${model}`, replies(scripted(reply, how), how));

  it('is the same wherever its deltas and bytes are cut', async () => {
    await fc.assert(fc.asyncProperty(spokenReply, fc.array(cutting, { minLength: 2, maxLength: 2 }), async (reply, cuttings) => {
      for (const how of cuttings) {
        say(reply, how);
        expect(format.readStream(await ask(model, format, true))).toEqual(expected(reply));
      }
      world.upstream.requests.length = 0;
    }), { numRuns: RUNS });
  });

  it('is the same as when it is not streamed', async () => {
    await fc.assert(fc.asyncProperty(spokenReply, cutting, async (reply, how) => {
      say(reply, how);
      expect(format.readWhole(await ask(model, format, false))).toEqual(expected(reply));
      world.upstream.requests.length = 0;
    }), { numRuns: RUNS });
  });
});
