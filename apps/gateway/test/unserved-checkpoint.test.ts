import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ALL_ACCOUNTS, later, type RequestId, RunningGenerations } from '@tollgate/core';
import { answersStatus, Gate, type ScriptedUpstream, sendsRaw, startScriptedUpstream, until } from '@tollgate/testkit';
import { services } from '../src/composition/services.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

const HOUR = 3_600_000;
const LIST = { object: 'list', data: [{ id: 'small', object: 'model', created: 1, owned_by: 'library' }] };

let upstream: ScriptedUpstream;
let embedded: EmbeddedGateway;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  upstream.scriptModels((request) => (request.path === '/v1/models' ? sendsRaw(JSON.stringify(LIST), 'application/json')(request) : answersStatus(404)(request)));
  embedded = await startEmbeddedGateway({ environment: { UPSTREAM_BASE_URL: `${upstream.origin}/v1` } });
});

afterEach(async () => {
  await embedded.close();
  await upstream.close();
});

it.each([true, false])('a request answered with 503 is free, even if a sweep has charged its checkpoint meanwhile, streamed: %s', async (stream) => {
  const { container } = embedded.gateway;
  const [ledger, usage, running] = [container.get(services.ledger), container.get(services.usage), container.get(RunningGenerations)];
  const fails = new Gate();
  upstream.always('small', () => [
    { type: 'send-headers', status: 200, headers: { 'content-type': 'text/event-stream' } }, { type: 'wait', gate: fails }, { type: 'reset' },
  ]);
  const asked = fetch(`${embedded.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${embedded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'small', stream, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await until(() => Promise.resolve(running.progress().size === 1));
  const [at, ownerId] = [container.get(services.clock).now(), container.get(services.processId)];
  await ledger.checkpoint({ ownerId, at, leaseExpiresAt: later(at, HOUR), progress: running.progress() });
  expect(await ledger.sweep(later(at, HOUR))).toHaveLength(1);
  fails.open();
  const answer = await asked;
  expect(answer.status).toBe(503);
  await answer.text();
  const requestId = answer.headers.get('x-request-id') as RequestId;
  expect((await usage.find(ALL_ACCOUNTS, requestId))?.charge.amount.isZero()).toBe(false);
  expect((await usage.transfersOf(ALL_ACCOUNTS, requestId)).map(({ kind }) => kind)).toEqual(['charge', 'refund']);
  expect((await container.get(services.ledgerAudit).verify()).differences).toEqual([]);
});
