import { afterEach, expect, it } from '@jest/globals';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let upstream: ScriptedUpstream;
let gateway: EmbeddedGateway;

afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

it.each([
  ['openai', '/v1', '/v1/models', '/v1/chat/completions', 'authorization'],
  ['anthropic', '', '/v1/models?limit=1000', '/v1/messages', 'x-api-key'],
  ['anthropic', '/v1', '/v1/models?limit=1000', '/v1/messages', 'x-api-key'],
  ['responses', '/v1', '/v1/models', '/v1/responses', 'authorization'],
])('a server of kind %s at an address that ends in %p gets model and generation requests in its own format', async (...[kind, path, models, endpoint, header]) => {
  upstream = await startScriptedUpstream();
  gateway = await startEmbeddedGateway({ environment: { UPSTREAM_KIND: kind, UPSTREAM_BASE_URL: `${upstream.origin}${path}`, UPSTREAM_API_KEY: 'upstream-key' } });
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-model', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect(await reply.json()).toMatchObject({ model: 'scripted-model', choices: [{ message: { content: 'Hello from scripted-model.' } }] });
  expect(upstream.requests.map((request) => request.path)).toEqual([models, endpoint]);
  expect(upstream.requests.every(({ headers }) => headers[header]?.includes('upstream-key'))).toBe(true);
});
