import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkChatStream, checkMessagesStream, replies } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { FuzzWorld } from '../fuzz/support/fuzz-world.js';
import { type Cutting, cutting, scripted, type SpokenReply, spokenReply } from './support/spoken-reply.js';

const RUNS = 120;

let world: FuzzWorld;

beforeAll(async () => {
  world = await FuzzWorld.start();
});

afterAll(async () => {
  await world.close();
});

interface ClientFormat {
  readonly target: string;
  /** What a client puts together from a stream; throws `GrammarBreach` for a broken one. */
  readonly readStream: (stream: string) => SpokenReply;
  readonly readWhole: (body: string) => SpokenReply;
}

interface ChatMessage {
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

type Block = { readonly type: 'text'; readonly text: string } | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input?: unknown; readonly inputJson?: string };

/** One block of each kind at most, calls apart, in the order thinking, text, calls. */
function replyOfBlocks(blocks: readonly Block[]): SpokenReply {
  expect(blocks.map(({ type }) => type).join(' ')).toMatch(/^(?:thinking)?(?: ?text)?(?: ?tool_use)*$/);
  const of = (type: Block['type']) => blocks.filter((block) => block.type === type);
  return {
    reasoning: of('thinking').map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    text: of('text').map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: blocks.flatMap((block) => (block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.inputJson ?? JSON.stringify(block.input) }] : [])),
  };
}

const FORMATS: Readonly<Record<'chat' | 'messages', ClientFormat>> = {
  chat: {
    target: '/v1/chat/completions',
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
    readStream: (stream) => {
      const { blocks, error } = checkMessagesStream(stream);
      expect(error).toBeNull();
      return replyOfBlocks(blocks);
    },
    readWhole: (body) => replyOfBlocks((JSON.parse(body) as { readonly content: readonly Block[] }).content),
  },
};

/** A reader takes missing arguments for an empty object. */
function expected({ toolCalls, ...reply }: SpokenReply): SpokenReply {
  return { ...reply, toolCalls: toolCalls.map((call) => ({ ...call, arguments: call.arguments === '' ? '{}' : call.arguments })) };
}

async function ask(model: string, format: ClientFormat, stream: boolean): Promise<string> {
  const body = { model, max_tokens: 4_000, stream, messages: [{ role: 'user', content: 'Hello' }], thinking: { type: 'enabled', budget_tokens: 2_000 } };
  const [reply] = await world.client.send({
    method: 'POST', target: format.target, headers: [['authorization', 'Bearer $key'], ['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)), framing: { kind: 'sound' },
  });
  expect(reply?.status).toBe(200);
  return reply?.body ?? '';
}

const PAIRS = (['by-openai', 'by-anthropic'] as const).flatMap((model) => (['chat', 'messages'] as const).map((format) => [model, format] as const));

describe.each(PAIRS)('a reply that is served %s to a client of the %s format', (model, formatName) => {
  const format = FORMATS[formatName];
  const say = (reply: SpokenReply, how: Cutting): void => world.upstream.script(`up-${model}`, replies(scripted(reply, how), how));

  it('is the same however it was cut into deltas and bytes', async () => {
    await fc.assert(fc.asyncProperty(spokenReply, fc.array(cutting, { minLength: 2, maxLength: 2 }), async (reply, cuttings) => {
      for (const how of cuttings) {
        say(reply, how);
        expect(format.readStream(await ask(model, format, true))).toEqual(expected(reply));
      }
      world.upstream.requests.length = 0;
    }), { numRuns: RUNS });
  });

  it('is the same when it is asked for as a whole', async () => {
    await fc.assert(fc.asyncProperty(spokenReply, cutting, async (reply, how) => {
      say(reply, how);
      expect(format.readWhole(await ask(model, format, false))).toEqual(expected(reply));
      world.upstream.requests.length = 0;
    }), { numRuns: RUNS });
  });
});
