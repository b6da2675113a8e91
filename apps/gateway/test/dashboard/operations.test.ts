import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { later, rfc3339, SYSTEM_ACTOR } from '@tollgate/core';
import { Reconciler } from '../../src/background/reconciler.js';
import { emptyEventCounter, upstreamFailureCounter, upstreamProbeCounter } from '../../src/observability/upstream-metrics.js';
import { UpstreamHealth } from '../../src/observability/upstream-health.js';
import { eventually } from '../../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let operator: TestBrowser;
let operatorId: string;

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };
const MINUTE = 60_000;

async function chat(): Promise<string> {
  const response = await running.post('/v1/chat/completions', CHAT);
  const body = await response.json() as { readonly error?: { readonly code: string } };
  return `${response.status} ${body.error?.code ?? 'ok'}`;
}

beforeAll(async () => {
  running = await startTestGateway({
    services: ({ clock, store }) => ({
      platform: store.platform,
      upstreams: {
        circuits: () => [{ upstreamId: 'scripted', upstreamModel: 'small-v1', state: 'open' }], failures: upstreamFailureCounter(), probes: upstreamProbeCounter(), emptyEvents: emptyEventCounter(),
        health: new UpstreamHealth(clock, { failed: () => undefined, circuitChanged: () => undefined, answered: () => undefined, noticed: () => undefined, probed: () => undefined }),
        definitions: () => [{ id: 'scripted', kind: 'sandbox' }],
      },
      mail: {
        openTransport: () => Promise.resolve({
          deliver: () => Promise.resolve({ outcome: 'failed', failure: { code: 'ECONNREFUSED', explanation: 'of ann@example.com' } }), close: () => Promise.resolve(),
        }),
        pollMilliseconds: null,
      },
    }),
  });
  const ann = await addPerson(running.gateway, 'ann@example.com', 'operator');
  operatorId = ann.person.id;
  operator = new TestBrowser(running.gateway);
  await operator.call(contract.signIn, { body: { email: 'ann@example.com', password: ann.password } });
});
afterAll(() => running.close());

describe('blocks', () => {
  it('of accounts and keys refuse requests, are listed, and end when they expire or an operator removes them', async () => {
    const { account, keyId } = running.caller;
    const until = rfc3339(later(running.clock.now(), MINUTE));
    const made = await operator.call(contract.block, { body: { kind: 'account', subject: account.id, reason: 'card testing', expires_at: until } });
    expect(made.body).toMatchObject({ id: account.id, kind: 'account', reason: 'card testing', blocked_by: operatorId, expires_at: until });
    expect(await chat()).toBe('403 account_blocked');
    const again = await operator.call(contract.block, { body: { kind: 'account', subject: account.id, reason: 'another' } });
    expect(again.body).toMatchObject({ reason: 'card testing' });
    running.clock.advance(1);
    await operator.call(contract.block, { body: { kind: 'key', subject: keyId } });
    const first = await operator.call(contract.listBlocks, { query: { limit: 1 } });
    expect(first.body).toMatchObject({ data: [{ id: keyId }], has_more: true });
    const rest = await operator.call(contract.listBlocks, { query: { limit: 1, cursor: first.body['next_cursor'] as string } });
    expect(rest.body).toMatchObject({ data: [{ id: account.id }], has_more: false, next_cursor: null });
    // The gateway looks for expired blocks every second; the block of the account ends after a minute.
    for (let second = 0; second < 60; second += 1) {
      running.clock.advance(1000);
      await new Promise(setImmediate);
    }
    expect(await chat()).toBe('403 api_key_blocked');
    expect((await operator.call(contract.unblock, { params: { id: keyId } })).status).toBe(204);
    expect((await operator.call(contract.unblock, { params: { id: keyId } })).status).toBe(404);
    expect(await chat()).toBe('200 ok');
    expect((await operator.call(contract.listBlocks)).body['data']).toEqual([]);
  });

  it('of a network can be removed under another notation of its address', async () => {
    const made = await operator.call(contract.block, { body: { kind: 'network', subject: '::ffff:203.0.113.9/120', reason: 'scan' } });
    expect(made.body).toMatchObject({ id: '203.0.113.0/24' });
    expect((await operator.call(contract.unblock, { params: { id: '203.0.113.77/24' } })).status).toBe(204);
  });

  it.each([
    [{ kind: 'network', subject: 'nowhere' }, 'subject'], [{ kind: 'account', subject: 'acct_nobody' }, 'subject'], [{ kind: 'key', subject: 'key_none' }, 'subject'],
    [{ kind: 'network', subject: '192.0.2.1', reason: 'x'.repeat(501) }, 'reason'], [{ kind: 'network', subject: '192.0.2.1', reason: ' ' }, 'reason'],
    [{ kind: 'network', subject: '192.0.2.1', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ] as const)('with the body %j are refused, naming the field %s', async (body, param) => {
    const reply = await operator.call(contract.block, { body });
    expect([reply.status, reply.body.error?.param]).toEqual([400, param]);
  });

  it('cannot be set by operators on their own account or network', async () => {
    const { account } = (await operator.call(contract.me)).body as unknown as { readonly account: { readonly id: string } };
    for (const body of [{ kind: 'account', subject: account.id }, { kind: 'network', subject: '127.0.0.0/8' }, { kind: 'network', subject: '127.0.0.1' }] as const) {
      const reply = await operator.call(contract.block, { body });
      expect([reply.status, reply.body.error?.code]).toEqual([409, 'conflict']);
    }
  });

  it('are not listed if the cursor belongs to another list', async () => {
    const reply = await operator.call(contract.listBlocks, { query: { cursor: 'WzFd' } });
    expect([reply.status, reply.body.error?.param]).toEqual([400, 'cursor']);
  });
});

it('planned maintenance starts and ends on time, and refusals contain the operator’s message and the planned end', async () => {
  const [from, until] = [later(running.clock.now(), MINUTE), later(running.clock.now(), 2 * MINUTE)];
  const set = await operator.call(contract.setMaintenance, { body: { state: 'on', from: rfc3339(from), until: rfc3339(until), message: 'The database moves.' } });
  expect(set.body).toMatchObject({ state: 'planned', set_by: operatorId });
  expect(await chat()).toBe('200 ok');
  running.clock.advance(MINUTE);
  const refused = await running.post('/v1/chat/completions', CHAT);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await refused.json()).toMatchObject({ error: { code: 'maintenance_mode', message: `The service is in maintenance until ${rfc3339(until)}. The database moves.` } });
  expect((await operator.call(contract.maintenance)).body).toMatchObject({ state: 'on', text: `The service is in maintenance until ${rfc3339(until)}. The database moves.` });
  running.clock.advance(MINUTE);
  expect(await chat()).toBe('200 ok');
  await operator.call(contract.setMaintenance, { body: { state: 'on' } });
  expect((await running.post('/v1/chat/completions', CHAT)).headers.get('retry-after')).toBe('60');
  expect((await operator.call(contract.setMaintenance, { body: { state: 'off' } })).body).toMatchObject({ state: 'off' });
  expect(await chat()).toBe('200 ok');
  const reply = await operator.call(contract.setMaintenance, { body: { state: 'on', from: rfc3339(until), until: rfc3339(from) } });
  expect(reply.body.error?.param).toBe('until');
});

it('an incident limit refuses requests beyond it until an operator removes it, and is listed with its author', async () => {
  const set = await operator.call(contract.setIncidentLimit, { body: { model: 'small', requests_per_minute: 1 } });
  expect(set.body).toMatchObject({ model: 'small', requests_per_minute: 1, tokens_per_minute: null, set_by: operatorId });
  expect([await chat(), await chat()]).toEqual(['200 ok', '429 rate_limit_exceeded']);
  expect((await operator.call(contract.listIncidentLimits)).body['data']).toEqual([set.body]);
  expect((await operator.call(contract.clearIncidentLimit, { params: { model: 'small' } })).status).toBe(204);
  expect((await operator.call(contract.clearIncidentLimit, { params: { model: 'small' } })).status).toBe(404);
  expect(await chat()).toBe('200 ok');
  const replies = await Promise.all([{ model: 'small' }, { model: 'ghost', requests_per_minute: 1 }].map((body) => operator.call(contract.setIncidentLimit, { body })));
  expect(replies.map(({ body }) => body.error?.param)).toEqual(['requests_per_minute', 'model']);
});

it('upstreams are listed with their circuits, and can be tested without a charge to any account', async () => {
  const { data } = (await operator.call(contract.listUpstreams)).body as unknown as { readonly data: readonly [{ readonly models: readonly { readonly model: string; readonly upstream_model: string }[] }] };
  expect(data[0]).toMatchObject({ id: 'scripted', kind: 'sandbox', base_url: null });
  expect(data[0].models.find(({ model }) => model === 'small')).toMatchObject({ state: 'untried', failing_since: null, answers: 0, failures: 0, last_failure: null, first_token_ms: null });
  const before = await running.parts.store.ledger.balanceOf(running.caller.account.id);
  const test = await operator.call(contract.testUpstream, { params: { id: 'scripted' }, body: { model: 'small' } });
  expect([test.status, test.body['upstream'], test.body['model']]).toEqual([200, 'scripted', 'small']);
  expect(await running.parts.store.ledger.balanceOf(running.caller.account.id)).toEqual(before);
  const tests = async () => (await running.trail()).filter(({ action }) => action === 'upstream.tested').map(({ actor, subject, accountId, details }) => [actor.id, subject, accountId, details]);
  expect(await tests()).toEqual([[operatorId, 'scripted', null, { model: 'small' }]]);
  expect((await operator.call(contract.testUpstream, { params: { id: 'unknown' }, body: {} })).status).toBe(404);
  expect((await operator.call(contract.testUpstream, { params: { id: 'scripted' }, body: { model: 'ghost' } })).body.error?.param).toBe('model');
  expect(await tests()).toHaveLength(1);
});

it('a check of the ledger runs in the background, and its result is shown', async () => {
  expect((await operator.call(contract.ledgerChecks)).body).toMatchObject({ last: null, running_since: null, settlements_waiting: 0 });
  const started = await operator.call(contract.checkLedger);
  expect([started.status, started.body['running_since']]).toEqual([202, rfc3339(running.clock.now())]);
  const reconciler = running.gateway.container.get(Reconciler);
  await eventually(() => reconciler.runningSince === null);
  expect((await operator.call(contract.ledgerChecks)).body).toMatchObject({ last: { differences: 0, named_differences: [] }, running_since: null });
});

it('the outbox shows the state of a test message, never its content', async () => {
  expect((await operator.call(contract.sendTestMail, { body: {} })).status).toBe(202);
  const listed = async () => ((await operator.call(contract.listMail)).body as unknown as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
  let mails = await listed();
  while (mails[0]?.['last_error'] === null) mails = await listed();
  expect(mails[0]).toEqual({
    id: expect.any(String), object: 'mail', kind: 'test', account_id: null, to: 'ann@example.com', subject: 'Test message from Tollgate', state: 'waiting', attempts: 1, last_error: 'ECONNREFUSED',
    error_reason: 'unreachable', resendable: false,
    stored_at: expect.any(String), next_attempt_at: expect.any(String), ended_at: null,
  });
  expect((await operator.call(contract.sendTestMail, { body: { to: 'not an address' } })).body.error?.param).toBe('to');
});

it('at most five test messages an hour go to one address', async () => {
  const send = (to: string) => operator.call(contract.sendTestMail, { body: { to } });
  for (let sent = 0; sent < 5; sent += 1) expect((await send('victim@example.org')).status).toBe(202);
  const refused = await send('Victim@Example.org');
  expect([refused.status, refused.body.error?.code, refused.headers['retry-after']]).toEqual([429, 'too_many_attempts', '3600']);
  expect((await send('other@example.org')).status).toBe(202);
});

it('every change by an operator is audited as that operator’s act', async () => {
  const entries = await running.trail();
  const actions = new Set(entries.filter(({ actor }) => actor.kind === 'operator' && actor.id === operatorId).map(({ action }) => action));
  expect([...actions].toSorted()).toEqual([
    'account.blocked', 'incident-limit.cleared', 'incident-limit.set', 'key.blocked', 'key.unblocked', 'network.blocked', 'network.unblocked', 'platform.maintenance-off',
    'platform.maintenance-on', 'upstream.tested',
  ]);
  expect(entries.filter(({ actor, action }) => actor.kind === SYSTEM_ACTOR.kind && action === 'account.unblocked')).toHaveLength(1);
});
