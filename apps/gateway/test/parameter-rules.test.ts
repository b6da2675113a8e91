import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject, PlanId } from '@tollgate/core';
import { answersStatus, replies, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';
import { catalogueFile, modelEntry, scriptedEntry } from './acceptance/support/scripted-catalogue.js';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, type Kind, KINDS, PATHS } from './support/upstream-world.js';

const SCHEMA = { type: 'object', properties: {} };
const TURN = { role: 'user', content: 'Hi' };

/** A request in each format, with two parameters that some models refuse. */
const PLAIN: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { messages: [TURN], max_tokens: 4_000, temperature: 0.5, reasoning_effort: 'high' },
  messages: { messages: [TURN], max_tokens: 4_000, temperature: 0.5, thinking: { type: 'enabled', budget_tokens: 2_000 } },
  responses: { input: [TURN], max_output_tokens: 4_000, temperature: 0.5, reasoning: { effort: 'high' } },
};
const TOOLS: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }] },
  messages: { tools: [{ name: 'look', input_schema: SCHEMA }] },
  responses: { tools: [{ type: 'function', name: 'look', parameters: SCHEMA }] },
};

/** Values that the model's rules fix for requests with tools: reasoning is off. */
const OFF: Readonly<Record<Kind, JsonObject>> = { openai: { reasoning_effort: 'none' }, anthropic: { thinking: { type: 'disabled' } }, responses: { reasoning: { effort: 'none' } } };

let upstream: ScriptedUpstream;
let gateway: EmbeddedGateway;
let folder: string;
let lines: JsonObject[];

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  upstream.always('*', replies({ text: 'a' }));
  folder = mkdtempSync(join(tmpdir(), 'tollgate-rules-'));
  lines = [];
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

async function start(kind: Kind, more: JsonObject, options: JsonObject = {}): Promise<void> {
  const path = join(folder, 'catalog.yaml');
  writeFileSync(path, JSON.stringify(catalogueFile({ scripted: scriptedEntry(upstream, { kind, ...options }) }, { ruled: modelEntry('ruled', { more: { reasoning: true, ...more } }) })));
  const log = createLog('info', { write: (line) => { lines.push(JSON.parse(line) as JsonObject); } });
  gateway = await startEmbeddedGateway({ environment: { CATALOG_FILE: path }, services: { log }, planId: 'ample' as PlanId });
}

async function ask(format: ClientFormat, body: JsonObject): Promise<number> {
  const reply = await fetch(`${gateway.url}${PATHS[format]}`, {
    method: 'POST', headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'ruled', ...body }),
  });
  await reply.text();
  return reply.status;
}

async function omitted(): Promise<unknown> {
  const reply = await fetch(`${gateway.url}/v1/usage?limit=1`, { headers: { authorization: `Bearer ${gateway.key}` } });
  const { data: [record] } = await reply.json() as { readonly data: readonly { readonly usage: JsonObject }[] };
  return { settings: record?.usage['settings_omitted'], reasoning: record?.usage['reasoning_omitted'] };
}

describe.each(KINDS.flatMap((kind) => CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [kind, format, stream] as const))))(
  'a model at an upstream of kind %s, for a client of the %s format, streamed: %p,', (kind, format, stream) => {
    it('gets no parameter that a catalogue rule omits, and the usage record says so', async () => {
      await start(kind, { omit: ['temperature', 'top_p'] });
      // Messages servers refuse a temperature together with thinking.
      const body = { ...PLAIN[format], ...(format === 'messages' ? { thinking: { type: 'disabled' } } : format === 'chat' ? { reasoning_effort: 'none' } : { reasoning: { effort: 'none' } }) };
      expect(await ask(format, { ...body, stream })).toBe(200);
      expect(upstream.requests.at(-1)?.body).not.toHaveProperty('temperature');
      expect(await omitted()).toEqual({ settings: ['temperature'], reasoning: false });
    });

    it('gets the values that the catalogue fixes for requests with tools, and the client’s own without tools', async () => {
      await start(kind, { with_tools: { fix: OFF[kind] }, without_tools: { fix: { seed: 7 } } });
      expect(await ask(format, { ...PLAIN[format], ...TOOLS[format], stream })).toBe(200);
      expect(upstream.requests.at(-1)?.body).toMatchObject(OFF[kind]);
      expect(upstream.requests.at(-1)?.body).not.toHaveProperty('seed');
      // Messages servers refuse a temperature beside thinking.
      const besidesThinking = kind === 'anthropic' ? ['temperature'] : [];
      expect(await omitted()).toEqual({ settings: ['reasoning', ...besidesThinking], reasoning: true });
      expect(await ask(format, { ...PLAIN[format], stream })).toBe(200);
      expect(upstream.requests.at(-1)?.body).toMatchObject({ seed: 7 });
      expect(upstream.requests.at(-1)?.body).not.toMatchObject(OFF[kind]);
      expect(await omitted()).toEqual({ settings: besidesThinking, reasoning: false });
    });
  });

describe.each(DELIVERIES)('a reply schema that a catalogue rule omits (streamed: %p)', (stream) => {
  it('is recorded as an omitted schema, not as omitted reasoning', async () => {
    await start('anthropic', { omit: ['output_config'] }, { json_schema: 'schema' });
    const format = { type: 'json_schema', schema: SCHEMA };
    expect(await ask('messages', { messages: [TURN], max_tokens: 4_000, output_config: { format }, stream })).toBe(200);
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('output_config');
    expect(await omitted()).toEqual({ settings: ['output_config'], reasoning: false });
  });
});

/** Tools that no upstream is offered, in each place of a request that may have some. */
const OF_VENDORS: readonly (readonly [ClientFormat, string, JsonObject])[] = [
  ['messages', 'tools', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['messages', 'a system message', {
    messages: [TURN, { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: { type: 'web_search_20250305', name: 'web_search' } } }] }, TURN],
  }],
  ['responses', 'tools', { tools: [{ type: 'shell' }] }],
  ['responses', 'a group', { tools: [{ type: 'namespace', name: 'web', tools: [{ type: 'web_search' }] }] }],
  ['responses', 'an item', { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'computer' }] }, TURN] }],
];

describe.each(KINDS)('a vendor’s tools that an upstream of kind %s is not offered', (kind) => {
  it.each(OF_VENDORS)('are recorded as omitted (%s format, in %s), together with what the catalogue omits', async (format, _place, body) => {
    await start(kind, { omit: ['temperature'] });
    const { temperature } = PLAIN[format];
    const least = format === 'responses' ? { input: [TURN] } : { messages: [TURN], max_tokens: 4_000 };
    expect(await ask(format, { ...least, ...body })).toBe(200);
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty('tools');
    expect(await omitted()).toMatchObject({ settings: ['tools'] });
    expect(await ask(format, { ...least, ...body, temperature })).toBe(200);
    expect(await omitted()).toMatchObject({ settings: ['tools', 'temperature'] });
  });
});

/** Settings of each format that no kind of upstream is sent. */
const UNSENT: readonly (readonly [ClientFormat, JsonObject, readonly string[]])[] = [
  ['chat', { messages: [TURN], web_search_options: {}, logit_bias: { 50256: -100 } }, ['logit_bias', 'web_search_options']],
  ['messages', { messages: [TURN], max_tokens: 4_000, mcp_servers: [{ type: 'url', url: 'https://mcp.example.test', name: 'a' }], top_k: 5 }, ['mcp_servers', 'top_k']],
  ['responses', { input: [TURN], text: { verbosity: 'low' } }, ['text.verbosity']],
];

/** Sampling parameters that each kind of upstream lacks, or gets with another value. */
const LACKED: Readonly<Record<Kind, readonly string[]>> = { openai: [], anthropic: ['temperature', 'top_p', 'frequency_penalty'], responses: ['frequency_penalty'] };

describe.each(KINDS)('settings that an upstream of kind %s is not sent', (kind) => {
  it.each(UNSENT)('are recorded as omitted (%s format)', async (format, body, names) => {
    await start(kind, {});
    expect(await ask(format, body)).toBe(200);
    const sent = upstream.requests.at(-1)?.body;
    for (const name of ['web_search_options', 'logit_bias', 'mcp_servers', 'top_k', 'text']) expect(sent).not.toHaveProperty(name);
    expect(await omitted()).toEqual({ settings: names, reasoning: false });
  });

  it('are recorded as omitted if the kind lacks them, unless their values have no effect', async () => {
    await start(kind, {});
    const body = { ...PLAIN.chat, reasoning_effort: 'none', temperature: 1.5, top_p: 0.5, frequency_penalty: 0.5, presence_penalty: 0 };
    expect(await ask('chat', body)).toBe(200);
    expect(await omitted()).toEqual({ settings: LACKED[kind], reasoning: false });
    expect(await ask('chat', { ...body, temperature: 1, top_p: 1, frequency_penalty: 0 })).toBe(200);
    expect(await omitted()).toEqual({ settings: [], reasoning: false });
  });
});

describe.each(KINDS)('the log line of a refusal by an upstream of kind %s', (kind) => {
  it.each([
    ["Unsupported parameter: 'temperature' is not supported with this model.", 'models.ruled.omit: [temperature]'],
    ['`stream` must be true; temperature is deprecated for this model', 'models.ruled.omit: [temperature]'],
    ['The image could not be read.', undefined],
    ['Each thinking user must stop to include text and metadata of the reasoning.', undefined],
  ])('with the message %j names the setting to change, if there is one', async (message, setting) => {
    await start(kind, {});
    upstream.always('*', answersStatus(400, { error: { message } }));
    const { temperature, ...rest } = PLAIN.chat;
    expect(await ask('chat', { ...rest, temperature, reasoning_effort: 'none' })).toBe(400);
    const [line] = lines.filter(({ msg }) => msg === 'an upstream did not serve a request');
    expect([line?.['reason'], line?.['setting']]).toEqual(['refused', setting]);
  });
});

describe('the log line of a refusal', () => {
  it.each([
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'upstreams.scripted.output_limit_field'],
    ["Invalid 'messages[1].tool_calls[0].tool_call_id': string too long.", 'upstreams.scripted.tool_call_id_limit'],
    ['stop: at most 1 sequence', 'upstreams.scripted.stop_sequence_limit'],
    ['max_tokens is too large: 4000. This model supports at most 2048 completion tokens.', 'models.ruled.max_output_tokens'],
  ])('names the setting to change for the message %j', async (message, setting) => {
    await start('openai', {});
    upstream.always('*', answersStatus(422, { error: { message } }));
    expect(await ask('chat', { ...PLAIN.chat, stop: ['a', 'b'], reasoning_effort: 'none' })).toBe(400);
    expect(lines.find(({ msg }) => msg === 'an upstream did not serve a request')?.['setting']).toBe(setting);
  });
});

describe('the log line of a refusal of the maximum output', () => {
  it.each<[Kind, string, string | undefined]>([
    ['anthropic', 'max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens', 'models.ruled.max_output_tokens'],
    ['responses', "Invalid 'max_output_tokens': integer above maximum value.", 'models.ruled.max_output_tokens'],
    ['responses', "Unsupported parameter: 'max_output_tokens'", undefined],
  ])('by an upstream of kind %s with %j names the setting to change, if there is one', async (kind, message, setting) => {
    await start(kind, {});
    upstream.always('*', answersStatus(400, { error: { message } }));
    expect(await ask('chat', { ...PLAIN.chat, reasoning_effort: 'none' })).toBe(400);
    expect(lines.find(({ msg }) => msg === 'an upstream did not serve a request')?.['setting']).toBe(setting);
  });
});

describe('stop sequences that a catalogue rule withholds from the upstream', () => {
  it.each([['openai', 'stop'], ['anthropic', 'stop_sequences']] as const)('are enforced by the gateway for an upstream of kind %s', async (kind, name) => {
    await start(kind, { omit: [name] });
    upstream.always('*', replies({ text: ['one ', 'END', ' two'] }));
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST', headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'ruled', ...PLAIN.chat, stop: 'END' }),
    });
    expect(await reply.text()).toContain('"content":"one "');
    expect(upstream.requests.at(-1)?.body).not.toHaveProperty(name);
  });
});
