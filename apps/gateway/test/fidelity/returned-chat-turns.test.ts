import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { answersStatus, type Behaviour, checkChatStream, checkMessagesStream, replies, sendsRaw } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, UpstreamWorld } from '../support/upstream-world.js';

interface Call {
  readonly id: string;
  readonly extra: JsonObject | null;
}

/** A turn of a chat server, with the opaque data that its client returns. */
interface ChatTurn {
  readonly reasoning: string;
  readonly details: readonly JsonObject[];
  readonly text: string;
  readonly extra: JsonObject | null;
  readonly calls: readonly Call[];
}

const OPAQUE = 'opaque-';
const words = fc.stringMatching(/^[a-z]{1,5}(?: [a-z]{1,3})?$/);
const opaque = fc.stringMatching(/^[\w+/=]{4,12}$/).map((text) => OPAQUE + text);
const extra = fc.option(opaque.map((thought_signature): JsonObject => ({ google: { thought_signature } })));
const turn: fc.Arbitrary<ChatTurn> = fc.record({
  reasoning: fc.oneof(fc.constant(''), words),
  details: fc.array(opaque, { maxLength: 2 }).map((all) => all.map((data, index) => ({ type: 'reasoning.encrypted', data, index }))),
  text: words,
  extra,
  calls: fc.array(extra, { maxLength: 2 }).map((all) => all.map((own, index) => ({ id: `c${index}`, extra: own }))),
});

const ARGUMENTS = '{"at":"the sky"}';
const orNothing = (field: string, value: JsonValue | null): JsonObject => (value === null ? {} : { [field]: value });
const callOf = ({ id, extra: own }: Call): JsonObject => ({ id, type: 'function', function: { name: 'look', arguments: ARGUMENTS }, ...orNothing('extra_content', own) });

/** The turn as the server sends it; the next request must contain the same. */
function messageOf({ reasoning, details, text, extra: own, calls }: ChatTurn): JsonObject {
  return {
    role: 'assistant', content: text, ...orNothing('extra_content', own),
    ...orNothing('reasoning_content', reasoning === '' ? null : reasoning), ...orNothing('reasoning_details', details.length === 0 ? null : details),
    ...orNothing('tool_calls', calls.length === 0 ? null : calls.map(callOf)),
  };
}

function chunksOf({ reasoning, details, text, extra: own, calls }: ChatTurn): readonly JsonObject[] {
  return [
    { reasoning_content: reasoning }, ...details.map((detail) => ({ reasoning_details: [detail] })), { content: text.slice(0, 2) }, { content: text.slice(2), ...orNothing('extra_content', own) },
    ...calls.map((call, index) => ({ tool_calls: [{ index, ...callOf(call) }] })),
  ].map((delta) => ({ choices: [{ index: 0, delta }] }));
}

const end = ({ calls }: ChatTurn) => (calls.length === 0 ? 'stop' : 'tool_calls');
const sends = (sent: ChatTurn, stream: boolean): Behaviour => (stream
  ? sendsRaw([...chunksOf(sent), { choices: [{ index: 0, delta: {}, finish_reason: end(sent) }] }].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).concat('data: [DONE]\n\n'))
  : sendsRaw(JSON.stringify({ choices: [{ index: 0, message: messageOf(sent), finish_reason: end(sent) }] }), 'application/json'));

const QUESTION = { role: 'user', content: 'Q' };
const SCHEMA = { type: 'object' };

/** How a client of one format keeps a reply in its history. */
interface Client {
  readonly fields: JsonObject;
  readonly history: (reply: string, stream: boolean) => readonly JsonObject[];
  readonly result: (id: string) => JsonObject;
}

function chatHistory(reply: string, stream: boolean): readonly JsonObject[] {
  if (!stream) return [(JSON.parse(reply) as { readonly choices: readonly [{ readonly message: JsonObject }] }).choices[0].message];
  checkChatStream(reply);
  const deltas = reply.split('\n').filter((line) => line.startsWith('data: {')).flatMap((line) => (JSON.parse(line.slice(6)) as { readonly choices: readonly { readonly delta: JsonObject }[] }).choices.map(({ delta }) => delta));
  const joined = (field: string) => deltas.map((delta) => (delta[field] ?? '') as string).join('');
  const lists = (field: string) => deltas.flatMap((delta) => (delta[field] ?? []) as readonly JsonObject[]);
  const calls = lists('tool_calls').filter(({ id }) => id !== undefined);
  const last = deltas.findLast((delta) => delta['extra_content'] !== undefined);
  return [{
    role: 'assistant', content: joined('content'), ...orNothing('extra_content', last?.['extra_content'] ?? null), ...orNothing('reasoning_content', joined('reasoning_content') || null),
    ...orNothing('reasoning_details', lists('reasoning_details').length === 0 ? null : lists('reasoning_details')),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => ({ ...call, function: { name: 'look', arguments: ARGUMENTS } })) }),
  }];
}

const CLIENTS: Readonly<Record<ClientFormat, Client>> = {
  chat: {
    fields: { tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }] },
    history: chatHistory,
    result: (tool_call_id) => ({ role: 'tool', tool_call_id, content: 'seen' }),
  },
  messages: {
    fields: { thinking: { type: 'enabled', budget_tokens: 2_000 }, tools: [{ name: 'look', input_schema: SCHEMA }] },
    history: (reply, stream) => [{
      role: 'assistant',
      content: stream
        ? checkMessagesStream(reply).blocks.map((block) => (block.type === 'tool_use' ? { type: 'tool_use', id: block.id, name: block.name, input: JSON.parse(block.inputJson) as JsonObject } : block as JsonObject))
        : (JSON.parse(reply) as { readonly content: readonly JsonObject[] }).content,
    }],
    result: (tool_use_id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id, content: 'seen' }] }),
  },
  responses: {
    fields: { tools: [{ type: 'function', name: 'look', parameters: SCHEMA }], reasoning: { effort: 'high' } },
    history: (reply, stream) => (stream
      ? reply.split('\n').filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)) as JsonObject).filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as JsonObject)
      : (JSON.parse(reply) as { readonly output: readonly JsonObject[] }).output),
    result: (call_id) => ({ type: 'function_call_output', call_id, output: 'seen' }),
  },
};

const CASES = CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const));
const turnsField = (format: ClientFormat) => (format === 'responses' ? 'input' : 'messages');
const lastAssistant = (body: JsonObject | undefined) => ((body?.['messages'] ?? []) as readonly JsonObject[]).findLast(({ role }) => role === 'assistant');

describe('a turn of a chat server', () => {
  let world: UpstreamWorld;
  beforeAll(async () => {
    world = await UpstreamWorld.start([{ kind: 'openai' }, { kind: 'anthropic', options: { reasoningReplay: 'sent' } }, { kind: 'responses', options: { reasoningReplay: 'sent' } }]);
  });
  afterAll(() => world.close());

  it.each(CASES)('returns to the same server with all its opaque data, and to another kind of server without any (%s, streamed: %p)', async (format, stream) => {
    const { fields, history, result } = CLIENTS[format];
    const field = turnsField(format);
    await fc.assert(fc.asyncProperty(turn, async (sent) => {
      world.upstream().script('*', sends(sent, stream));
      const reply = await world.ask(format, { ...fields, [field]: [QUESTION], stream });
      const next = { ...fields, [field]: [QUESTION, ...history(reply, stream), ...(sent.calls.length === 0 ? [QUESTION] : sent.calls.map(({ id }) => result(id)))] };
      await world.ask(format, next);
      const expected = messageOf(sent);
      // Reasoning models get a reasoning field back with calls, even if it is empty.
      expect(lastAssistant(world.upstream().requests.at(-1)?.body)).toEqual(sent.calls.length > 0 ? { reasoning_content: '', ...expected } : expected);
      for (const other of [1, 2]) {
        await world.ask(format, { ...next, model: `u${other}` });
        expect(world.upstream(other).requests.at(-1)?.rawBody).not.toContain(OPAQUE);
      }
    }), { numRuns: 15 });
  });
});

const PLACEHOLDER = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Histories with two parallel calls that another model made. */
const HISTORIES: Readonly<Record<ClientFormat, readonly JsonObject[]>> = {
  chat: [QUESTION, { role: 'assistant', content: null, tool_calls: [callOf({ id: 'c1', extra: null }), callOf({ id: 'c2', extra: null })] }, CLIENTS.chat.result('c1'), CLIENTS.chat.result('c2')],
  messages: [
    QUESTION, { role: 'assistant', content: ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })) },
    { role: 'user', content: ['c1', 'c2'].map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'seen' })) },
  ],
  responses: [QUESTION, ...['c1', 'c2'].map((call_id) => ({ type: 'function_call', call_id, name: 'look', arguments: '{}' })), CLIENTS.responses.result('c1'), CLIENTS.responses.result('c2')],
};

const HIGH: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { reasoning_effort: 'high' }, messages: { output_config: { effort: 'high' } }, responses: { reasoning: { effort: 'high' } },
};

describe.each(CASES)('a server that demands thought signatures (%s, streamed: %p)', (format, stream) => {
  const body = { ...CLIENTS[format].fields, [turnsField(format)]: HISTORIES[format], ...HIGH[format], stream };
  const extras = (request: JsonObject | undefined) => ((lastAssistant(request)?.['tool_calls'] ?? []) as readonly JsonObject[]).map(({ extra_content }) => extra_content);

  it('gets the vendor’s placeholder with the first call of a turn if the model’s name or a refusal shows the demand', async () => {
    const refusing: Behaviour = (request) => (extras(request.body)[0] === undefined
      ? answersStatus(400, { error: { message: 'Function call is missing a thought_signature in functionCall parts.' } })
      : replies({ text: 'a' }))(request);
    const named = await UpstreamWorld.start([{ kind: 'openai' }], { targets: [{ upstreamId: 'u0', upstreamModel: 'gemini-3-pro-preview' }] });
    const refused = await UpstreamWorld.start([{ kind: 'openai' }]);
    try {
      for (const [world, requests] of [[named, 1], [refused, 2]] as const) {
        world.upstream().always('*', refusing);
        await world.ask(format, body);
        expect(world.upstream().requests).toHaveLength(requests);
        expect(extras(world.upstream().requests.at(-1)?.body)).toEqual([PLACEHOLDER, undefined]);
        // The refusal does not turn off the reasoning that the client asked for.
        expect(world.upstream().requests.at(-1)?.body['reasoning_effort']).toBe('high');
        expect((await world.usage())[0]?.usage['reasoning_omitted']).toBe(false);
      }
    } finally {
      await Promise.all([named.close(), refused.close()]);
    }
  });
});
