import { afterEach, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { answersStatus, type Behaviour, replies, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit';
import { pino } from 'pino';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let upstream: ScriptedUpstream;
let gateway: EmbeddedGateway;
let logged: JsonObject[];

afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  upstream = await startScriptedUpstream();
  logged = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line) as JsonObject) });
  gateway = await startEmbeddedGateway({ environment: { UPSTREAM_BASE_URL: upstream.baseUrl, ...environment }, services: { log } });
}

function get(path: string): Promise<JsonObject> {
  return fetch(`${gateway.url}${path}`, { headers: { 'x-api-key': gateway.key } }).then((reply) => reply.json() as Promise<JsonObject>);
}

async function ask(path: string, fields: JsonObject): Promise<void> {
  const reply = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-model', max_tokens: 4_000, messages: [{ role: 'user', content: 'Hi' }], input: 'Hi', ...fields }),
  });
  expect(reply.status).toBe(200);
  await reply.text();
}

async function sent(path: string, fields: JsonObject): Promise<JsonObject> {
  await ask(path, fields);
  const { reasoning_effort, thinking, reasoning } = upstream.requests.at(-1)?.body ?? {};
  return {
    ...(reasoning_effort === undefined ? {} : { reasoning_effort }), ...(thinking === undefined ? {} : { thinking }), ...(reasoning === undefined ? {} : { reasoning }),
  };
}

const OFF = [
  ['/v1/chat/completions', { reasoning_effort: 'none' }],
  ['/v1/chat/completions', { thinking: { type: 'disabled' } }],
  ['/v1/messages', {}],
  ['/v1/messages', { thinking: { type: 'disabled' } }],
  ['/v1/responses', { reasoning: { effort: 'none' } }],
] as const;
const LEVELS = [
  ['/v1/chat/completions', { reasoning_effort: 'low' }],
  ['/v1/messages', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
  ['/v1/responses', { reasoning: { effort: 'low' } }],
] as const;

it.each([['openai', { reasoning_effort: 'none' }], ['anthropic', { thinking: { type: 'disabled' } }], ['responses', { reasoning: { effort: 'none' } }]] as const)(
  'without a catalogue, a server of kind %s may be told to disable reasoning, but gets no reasoning level', async (kind, off) => {
    await start({ UPSTREAM_KIND: kind });
    for (const [path, fields] of OFF) expect([path, fields, await sent(path, fields)]).toEqual([path, fields, off]);
    for (const [path, fields] of LEVELS) expect([path, fields, await sent(path, fields)]).toEqual([path, fields, {}]);
    for (const path of ['/v1/chat/completions', '/v1/responses']) expect(await sent(path, {})).toEqual({});
    expect(await get('/v1/models/scripted-model')).toMatchObject({ reasoning: true, reasoning_assumed: true });
    expect(logged).toContainEqual(expect.objectContaining({ models: 1, reasoningStyle: 'off-only', msg: expect.stringContaining('assumed to support reasoning') }));
  });

it.each([
  ['openai', 'effort', { reasoning_effort: 'low' }],
  ['anthropic', 'budget', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
  ['responses', 'effort', { reasoning: { effort: 'low', summary: 'auto' } }],
] as const)('a server of kind %s gets reasoning levels with UPSTREAM_REASONING_STYLE=%s', async (kind, style, low) => {
  await start({ UPSTREAM_KIND: kind, UPSTREAM_REASONING_STYLE: style });
  for (const [path, fields] of LEVELS) expect(await sent(path, fields)).toEqual(low);
});

it('a request is served and charged once, even if the server first refuses its reasoning field', async () => {
  await start({});
  const refuses: Behaviour = (request) => ('reasoning_effort' in request.body ? answersStatus(400) : replies({ text: 'a' }))(request);
  upstream.always('*', refuses);
  const lines = () => logged.filter(({ msg }) => typeof msg === 'string' && msg.includes('reasoning setting'));
  const asked = () => upstream.requests.map(({ body }) => body['reasoning_effort']).filter((_effort, index) => upstream.requests[index]?.method === 'POST');
  await ask('/v1/messages', { stream: false });
  await until(() => lines().length === 1);
  await ask('/v1/messages', { stream: true });
  // In order: the request, its repetition without the field, the gateway's own two calls, and the next request.
  expect(asked()).toEqual(['none', undefined, 'none', undefined, undefined]);
  expect(lines()).toEqual([
    expect.objectContaining({ level: 40, upstream: 'upstream', model: 'scripted-model', reasoning: 'off' }),
  ]);
  const { data } = await get('/v1/usage') as unknown as { readonly data: readonly JsonObject[] };
  expect(data.map((record) => record['end_reason'])).toEqual(['completed', 'completed']);
});
