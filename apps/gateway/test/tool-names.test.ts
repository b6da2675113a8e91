import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { answersStatus, type Behaviour, replies } from '@tollgate/testkit';
import { FORMAT_PAIRS } from './support/client-formats.js';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, type Kind, KINDS, UpstreamWorld } from './support/upstream-world.js';

const LONG = 'mcp__enterprise_knowledge_base__search_documents_by_department_and_year';
/** Names that MCP servers give their tools: too long, with a common prefix, or with forbidden characters. */
const NAMES = [LONG, `${LONG}_of_closing`, 'weather.forecast/v2', 'wetter für_morgen', 'plain_name-1'];
/** An id that is too long for every vendor. */
const ID = `call_${'x'.repeat(200)}`;
const SCHEMA = { type: 'object', properties: {} };
const TURN = { role: 'user', content: 'Hi' };

interface SentTool { readonly name: string; readonly id: string; readonly resultId: string }

const REQUESTS: Readonly<Record<ClientFormat, (names: readonly string[], chosen: string) => JsonObject>> = {
  chat: (names, chosen) => ({
    messages: [TURN, { role: 'assistant', content: null, tool_calls: [{ id: ID, type: 'function', function: { name: chosen, arguments: '{}' } }] }, { role: 'tool', tool_call_id: ID, content: 'Done' }],
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } })), tool_choice: { type: 'function', function: { name: chosen } },
  }),
  messages: (names, chosen) => ({
    messages: [
      TURN, { role: 'assistant', content: [{ type: 'tool_use', id: ID, name: chosen, input: {} }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: ID, content: 'Done' }] },
    ],
    tools: names.map((name) => ({ name, input_schema: SCHEMA })), tool_choice: { type: 'tool', name: chosen },
  }),
  responses: (names, chosen) => ({
    input: [TURN, { type: 'function_call', call_id: ID, name: chosen, arguments: '{}' }, { type: 'function_call_output', call_id: ID, output: 'Done' }],
    tools: names.map((name) => ({ type: 'function', name, parameters: SCHEMA })), tool_choice: { type: 'function', name: chosen },
  }),
};

/** Strings under these keys at any depth, in the order of the text. */
function valuesOf(value: JsonValue | undefined, keys: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((item) => valuesOf(item, keys));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([key, item]) => (keys.includes(key) && typeof item === 'string' ? [item] : valuesOf(item, keys)));
}

/** Reads tool names and calls from a request, by kind of upstream. */
const READ: Readonly<Record<Kind, (body: JsonObject) => { readonly names: readonly string[]; readonly chosen: string | undefined; readonly call: SentTool }>> = {
  openai: ({ tools, tool_choice: choice, messages }) => ({
    names: valuesOf(tools, ['name']), chosen: valuesOf(choice, ['name'])[0],
    call: { name: valuesOf(messages, ['name'])[0] ?? '', id: valuesOf(messages, ['id'])[0] ?? '', resultId: valuesOf(messages, ['tool_call_id'])[0] ?? '' },
  }),
  anthropic: ({ tools, tool_choice: choice, messages }) => ({
    names: valuesOf(tools, ['name']), chosen: valuesOf(choice, ['name'])[0],
    call: { name: valuesOf(messages, ['name'])[0] ?? '', id: valuesOf(messages, ['id'])[0] ?? '', resultId: valuesOf(messages, ['tool_use_id'])[0] ?? '' },
  }),
  responses: ({ tools, tool_choice: choice, input }) => {
    const [id = '', resultId = ''] = valuesOf(input, ['call_id']);
    return { names: valuesOf(tools, ['name']), chosen: valuesOf(choice, ['name'])[0], call: { name: valuesOf(input, ['name'])[0] ?? '', id, resultId } };
  },
};

const ID_LIMITS: Readonly<Record<Kind, number>> = { openai: 40, anthropic: 64, responses: 64 };

/** An upstream that refuses what its vendor refuses, and otherwise calls the requested tool. */
function strictServer(kind: Kind): Behaviour {
  return (request) => {
    const { names, chosen = '', call } = READ[kind](request.body);
    const areAccepted = [...names, chosen, call.name].every((name) => /^[\w-]{1,64}$/.test(name)) && call.id.length <= ID_LIMITS[kind] && /^[\w-]+$/.test(call.id);
    const fit = new Set(names).size === names.length && names.includes(chosen) && call.name === chosen && call.id === call.resultId;
    return (areAccepted && fit ? replies({ toolCalls: [{ id: 'c1', name: chosen, arguments: '{"a":1}' }] }) : answersStatus(400))(request);
  };
}

let world: UpstreamWorld;
afterEach(() => world.close());

describe.each(KINDS.flatMap((kind) => CLIENT_FORMATS.map((format) => [kind, format] as const)))('an upstream of kind %s, for a client of the %s format,', (kind, format) => {
  beforeEach(async () => {
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', strictServer(kind));
  });
  const client = FORMAT_PAIRS.map(([, , each]) => each).find(({ name }) => name === format);

  it.each(NAMES.flatMap((name) => DELIVERIES.map((stream) => [name, stream] as const)))('calls the tool %s, and the client receives the call under its own name for the tool, streamed: %p', async (name, stream) => {
    const text = await world.ask(format, { ...REQUESTS[format](NAMES, name), stream });
    const received = stream ? client?.readStream(text) : client?.readWhole(text);
    expect(received?.calls).toEqual([{ id: 'c1', name, input: '{"a":1}' }]);
  });

  it('gets a tool under the same name, and a call under the same id, in every turn', async () => {
    for (let turn = 0; turn < 2; turn += 1) await world.ask(format, REQUESTS[format](NAMES, LONG));
    const [first, second] = world.upstream().requests.map(({ body }) => READ[kind](body));
    expect(second).toEqual(first);
  });

  it('gets only one of two tools with the same name', async () => {
    await world.ask(format, REQUESTS[format](['look', LONG, 'look', LONG], 'look'));
    const { names } = READ[kind](world.upstream().requests[0]?.body ?? {});
    expect([names.length, new Set(names).size]).toEqual([2, 2]);
  });

  it('gets acceptable names and ids unchanged', async () => {
    await world.ask(format, REQUESTS[format](['plain_name-1'], 'plain_name-1'));
    expect(READ[kind](world.upstream().requests[0]?.body ?? {})).toMatchObject({ names: ['plain_name-1'], chosen: 'plain_name-1', call: { name: 'plain_name-1' } });
  });
});

describe.each(KINDS)('the results of a tool search, at an upstream of kind %s,', (kind) => {
  it('have the names by which the upstream knows the tools', async () => {
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', replies({ text: 'a' }));
    const found = NAMES.map((name) => ({ type: 'function', name, description: 'Found.', parameters: SCHEMA }));
    await world.ask('responses', { input: [
      TURN, { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: {} }, { type: 'tool_search_output', call_id: 'c1', execution: 'client', tools: found },
    ] });
    const body = world.upstream().requests[0]?.body ?? {};
    const told = valuesOf(kind === 'responses' ? body['input'] : body['messages'], ['content', 'output', 'text']).find((text) => text.includes(': Found.')) ?? '';
    expect(told.split('\n')).toEqual(READ[kind](body).names.map((name) => `${name}: Found.`));
  });
});
