import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { answersStatus, type ScriptedUpstream, sendsRaw, startScriptedUpstream } from '@tollgate/testkit';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

const LIST = { object: 'list', data: [{ id: 'qwen3:latest', object: 'model', created: 1, owned_by: 'library' }] };
const SHOWN = { parameters: 'num_ctx                        8192', model_info: { 'qwen3.context_length': 40_960 } };

let upstream: ScriptedUpstream;
let gateway: EmbeddedGateway;
let lines: JsonObject[];

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  upstream.scriptModels((request) => (request.path === '/v1/models' ? sendsRaw(JSON.stringify(LIST), 'application/json')(request) : answersStatus(404)(request)));
  upstream.script('qwen3:latest', sendsRaw(JSON.stringify(SHOWN), 'application/json'));
  lines = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as JsonObject) });
  gateway = await startEmbeddedGateway({ environment: { UPSTREAM_BASE_URL: upstream.origin }, services: { log } });
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

function ask(content: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'qwen3', max_tokens: 50, messages: [{ role: 'user', content }] }),
  });
}

it('an Ollama whose base URL lacks /v1 is served, also under names without :latest; one line logs the missing /v1', async () => {
  const reply = await ask('Hi');
  expect([reply.status, reply.headers.get('x-svc-model')]).toEqual([200, 'qwen3:latest']);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/models', '/v1/models', '/api/show', '/v1/chat/completions']);
  expect(upstream.requests.at(-1)?.body['model']).toBe('qwen3:latest');
  expect(lines.filter(({ msg }) => (msg as string).includes('/v1'))).toMatchObject([{ level: 30, msg: 'UPSTREAM_BASE_URL lacks /v1; the upstream lists its models under /v1, so the gateway sends its requests there' }]);
});

it('a prompt that Ollama would silently truncate is refused', async () => {
  const reply = await ask('word '.repeat(12_000));
  expect([reply.status, ((await reply.json()) as { error: JsonObject }).error['code']]).toEqual([400, 'context_length_exceeded']);
  const model = (await (await fetch(`${gateway.url}/v1/models/qwen3`, { headers: { authorization: `Bearer ${gateway.key}` } })).json()) as JsonObject;
  expect(model).toMatchObject({ id: 'qwen3:latest', aliases: ['qwen3'], context_window: 8192 });
});
