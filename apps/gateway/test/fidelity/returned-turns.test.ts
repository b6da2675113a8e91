import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { checkMessagesStream, sendsRaw } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { type ClientFormat, DELIVERIES, KINDS, type Kind, UpstreamWorld } from '../support/upstream-world.js';

/** A part of a turn, with text and opaque data. */
type Part =
  | { readonly type: 'thinking'; readonly text: string; readonly opaque: string }
  | { readonly type: 'redacted'; readonly opaque: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string };

const INPUT = { at: 'the sky' };

/** How a server of one kind sends a turn, and in which form it expects the turn in the next request. */
interface Server {
  readonly whole: (parts: readonly Part[]) => JsonObject;
  readonly events: (parts: readonly Part[]) => readonly JsonObject[];
  /** The turn in the form that the next request must have. */
  readonly turn: (parts: readonly Part[]) => readonly JsonObject[];
  readonly found: (body: JsonObject) => readonly JsonObject[];
}

function anthropicBlock(part: Part): JsonObject {
  switch (part.type) {
    case 'thinking': return { type: 'thinking', thinking: part.text, signature: part.opaque };
    case 'redacted': return { type: 'redacted_thinking', data: part.opaque };
    case 'text': return { type: 'text', text: part.text };
    case 'call': return { type: 'tool_use', id: part.id, name: 'look', input: INPUT };
  }
}

function anthropicEvents(part: Part, index: number): readonly JsonObject[] {
  const deltas = (opening: JsonObject, ...all: readonly JsonObject[]) => [
    { type: 'content_block_start', index, content_block: opening }, ...all.map((delta) => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index },
  ];
  switch (part.type) {
    case 'thinking': return deltas({ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: part.text }, { type: 'signature_delta', signature: part.opaque });
    case 'redacted': return deltas(anthropicBlock(part));
    case 'text': return deltas({ type: 'text', text: '' }, { type: 'text_delta', text: part.text });
    case 'call': return deltas({ type: 'tool_use', id: part.id, name: 'look', input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(INPUT) });
  }
}

const stopOf = (parts: readonly Part[]) => (parts.some(({ type }) => type === 'call') ? 'tool_use' : 'end_turn');
const lastTurn = (messages: unknown) => (messages as readonly JsonObject[]).findLast(({ role }) => role === 'assistant');

const ANTHROPIC: Server = {
  whole: (parts) => ({ type: 'message', content: parts.map(anthropicBlock), stop_reason: stopOf(parts) }),
  events: (parts) => [
    { type: 'message_start', message: { usage: { input_tokens: 1 } } }, ...parts.flatMap(anthropicEvents),
    { type: 'message_delta', delta: { stop_reason: stopOf(parts) }, usage: { output_tokens: 9 } }, { type: 'message_stop' },
  ],
  turn: (parts) => parts.map(anthropicBlock),
  found: ({ messages }) => (lastTurn(messages)?.['content'] ?? []) as readonly JsonObject[],
};

function responsesItem(part: Part): JsonObject {
  switch (part.type) {
    case 'thinking': return { type: 'reasoning', summary: [{ type: 'summary_text', text: part.text }], encrypted_content: part.opaque };
    case 'redacted': return { type: 'reasoning', summary: [], encrypted_content: part.opaque };
    case 'text': return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] };
    case 'call': return { type: 'function_call', call_id: part.id, name: 'look', arguments: JSON.stringify(INPUT) };
  }
}

const RESPONSES: Server = {
  whole: (parts) => ({ object: 'response', status: 'completed', output: parts.map(responsesItem) }),
  events: (parts) => [
    ...parts.flatMap((part, output_index) => ['added', 'done'].map((when) => ({ type: `response.output_item.${when}`, output_index, item: responsesItem(part) }))),
    { type: 'response.completed', response: { status: 'completed' } },
  ],
  turn: (parts) => parts.map(responsesItem),
  found: ({ input }) => {
    const items = input as readonly JsonObject[];
    return items.slice(1 + items.findIndex(({ role }) => role === 'user'), -1);
  },
};

const SERVERS: Partial<Record<Kind, Server>> = { anthropic: ANTHROPIC, responses: RESPONSES };

/** How a client of one format keeps a reply in its history. */
interface Client {
  readonly first: JsonObject;
  readonly returned: (reply: string, stream: boolean, calls: readonly string[]) => JsonObject;
}

const THINKS = { thinking: { type: 'enabled', budget_tokens: 2_000 }, tools: [{ name: 'look', input_schema: { type: 'object' } }] };
const QUESTION = { role: 'user', content: 'Q' };

function messagesOf(reply: string, stream: boolean): readonly JsonObject[] {
  if (!stream) return (JSON.parse(reply) as { readonly content: readonly JsonObject[] }).content;
  return checkMessagesStream(reply).blocks.map((block) => (block.type === 'tool_use' ? { type: 'tool_use', id: block.id, name: block.name, input: JSON.parse(block.inputJson) as JsonObject } : block as JsonObject));
}

function itemsOf(reply: string, stream: boolean): readonly JsonObject[] {
  if (!stream) return (JSON.parse(reply) as { readonly output: readonly JsonObject[] }).output;
  const frames = reply.split('\n').filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)) as JsonObject);
  return frames.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as JsonObject);
}

const CLIENTS: Partial<Record<ClientFormat, Client>> = {
  messages: {
    first: { ...THINKS, messages: [QUESTION] },
    returned: (reply, stream, calls) => ({
      ...THINKS,
      messages: [
        QUESTION, { role: 'assistant', content: messagesOf(reply, stream) },
        { role: 'user', content: calls.length === 0 ? 'And?' : calls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })) },
      ],
    }),
  },
  responses: {
    first: { input: [QUESTION], tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }], reasoning: { effort: 'high' } },
    returned: (reply, stream, calls) => ({
      tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
      input: [QUESTION, ...itemsOf(reply, stream), ...(calls.length === 0 ? [QUESTION] : calls.map((call_id) => ({ type: 'function_call_output', call_id, output: 'seen' })))],
    }),
  },
};

const OPAQUE = 'opaque-';
const words = fc.stringMatching(/^[a-z]{1,5}(?: [a-z]{1,3})?$/);
const opaque = fc.stringMatching(/^[\w+/=]{4,12}$/).map((text) => OPAQUE + text);
const thought: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('thinking' as const), text: words, opaque }), fc.record({ type: fc.constant('redacted' as const), opaque }),
);
const spoken: fc.Arbitrary<Part> = fc.oneof(thought, fc.record({ type: fc.constant('text' as const), text: words }));
const called = (id: string): fc.Arbitrary<Part> => fc.constant({ type: 'call', id });

/** Thinking comes first, as vendors send it; calls come last, possibly with thinking in between. */
const turn: fc.Arbitrary<readonly Part[]> = fc.tuple(
  thought, fc.array(spoken, { maxLength: 4 }), fc.constantFrom<Part>({ type: 'text', text: 'So.' }), fc.array(spoken, { maxLength: 2 }),
  fc.oneof(fc.constant<readonly Part[]>([]), fc.tuple(called('c1')), fc.tuple(called('c1'), thought, called('c2')), fc.tuple(called('c1'), called('c2'))),
).map(([first, before, text, after, calls]) => [first, ...before, text, ...(calls.length === 0 ? after.filter(({ type }) => type === 'text') : after), ...calls]);

const RUNS = 15;
const frames = (events: readonly JsonObject[]) => events.map((event) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`);

describe.each(Object.keys(SERVERS) as Kind[])('a turn of a server of kind %s', (kind) => {
  const server = SERVERS[kind] as Server;
  let world: UpstreamWorld;
  beforeAll(async () => {
    world = await UpstreamWorld.start([{ kind }, ...KINDS.filter((other) => other !== kind).map((other) => ({ kind: other, options: { reasoningReplay: 'sent' } }))]);
  });
  afterAll(() => world.close());

  const cases = (Object.keys(CLIENTS) as ClientFormat[]).flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const));
  it.each(cases)('returns to the same server unchanged and in order, and to other kinds without opaque data (%s, streamed: %p)', async (format, stream) => {
    const client = CLIENTS[format] as Client;
    await fc.assert(fc.asyncProperty(turn, async (parts) => {
      world.upstream().script('*', stream ? sendsRaw(frames(server.events(parts))) : sendsRaw(JSON.stringify(server.whole(parts)), 'application/json'));
      const reply = await world.ask(format, { ...client.first, stream });
      const next = client.returned(reply, stream, parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
      await world.ask(format, next);
      expect(server.found(world.upstream().requests.at(-1)?.body ?? {}).filter(({ type }) => type !== 'function_call_output')).toEqual(server.turn(parts));
      for (const other of [1, 2]) {
        await world.ask(format, { ...next, model: `u${other}` });
        expect(world.upstream(other).requests.at(-1)?.rawBody).not.toContain(OPAQUE);
      }
    }), { numRuns: RUNS });
  });
});
