import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type ProcessId, SYSTEM_ACTOR, type UsageQuery } from '@tollgate/core';
import { anAccount, Gate } from '@tollgate/testkit';
import { AdminWorld } from './admin-world.js';

/** The caller's `external_id`, encoded as a filter. */
const CALLER = `external:${encodeURIComponent('customer 7/ä')}`;

const PROCESS = 'process_held' as ProcessId;

let world: AdminWorld;
let headers: Readonly<Record<string, string>>;
/** Ids of the caller's requests. */
let requestIds: readonly string[];

beforeEach(async () => {
  world = await AdminWorld.start();
  headers = await world.headersOf(['usage:read', 'accounts:read', 'events:read']);
  const { caller } = world.gateway;
  await world.accounts.change(caller.account.id, { externalId: 'customer 7/ä' }, world.by());
  await world.accounts.create(anAccount({ id: 'acct_other' as never, email: 'other@example.test', externalId: 'other', createdAt: world.clock.now() }), SYSTEM_ACTOR);
  const replies = await Promise.all([1, 2].map(() => world.gateway.post('/v1/chat/completions', { model: 'small', messages: [{ role: 'user', content: 'Hi' }] })));
  requestIds = replies.map((reply) => reply.headers.get('x-request-id') ?? '');
});
afterEach(() => world.close());

it('a machine reads the summed usage of all accounts, or of one account as its owner sees it', async () => {
  const all = await world.call('/usage/summary?group_by=month,account', headers);
  expect(all.body).toMatchObject({ object: 'usage_summary', group_by: ['month', 'account'], total: { requests: 2 }, data: [{ group: world.gateway.caller.account.id, requests: 2 }] });
  expect((await world.call(`/usage/summary?group_by=key&account=${CALLER}`, headers)).body).toMatchObject({ as_of: null, total: { requests: 2 }, data: [{ group: world.gateway.caller.keyId }] });
  expect((await world.call('/usage/summary?account=external:other', headers)).body).toMatchObject({ total: { requests: 0 } });
  expect((await world.call('/usage/summary?group_by=key', headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'group_by' });
});

it('a machine reads the times to the first token of all accounts or of one', async () => {
  const { body } = await world.call('/usage/first-token?by=month&model=small', headers);
  expect(body).toMatchObject({ object: 'first_token_summary', by: 'month', is_sampled: false, total: { requests: 2 }, data: [{ period: '2026-11', requests: 2 }], models: [{ model: 'small' }] });
  expect((await world.call(`/usage/first-token?by=month&account=${CALLER}`, headers)).body).toEqual(body);
  expect((await world.call('/usage/first-token?account=external:other', headers)).body).toMatchObject({ total: null, data: [], models: [] });
  expect((await world.call('/usage/first-token?by=hour', headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'by' });
});

it('a machine exports the usage records of all accounts or of one; the file names the account of each record', async () => {
  const lines = await world.call('/usage/export?format=ndjson', headers);
  expect([lines.status, lines.headers.get('content-type'), lines.headers.get('content-disposition')]).toEqual([200, 'application/x-ndjson; charset=utf-8', expect.stringMatching(/^attachment; filename="usage_.+\.ndjson"$/)]);
  const records = lines.text.trim().split('\n').map((line) => JSON.parse(line) as { readonly request_id: string; readonly account_id: string });
  expect(new Set(records.map(({ request_id: id }) => id))).toEqual(new Set(requestIds));
  expect(records[0]?.account_id).toBe(world.gateway.caller.account.id);
  expect((await world.call(`/usage/export?format=ndjson&account=${CALLER}`, headers)).text).toBe(lines.text);
  expect((await world.call('/usage/export?format=ndjson&account=external:other', headers)).text).toBe('');
  expect((await world.call('/usage/export?bom=0', headers)).text.split('\n')[0]).toContain('request_id');
  expect((await world.call('/usage/export?format=xml', headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'format' });
});

it('a machine is refused a second export during its first one, while other machines may export', async () => {
  const [clock, started, gate] = [new ManualClock(), new Gate(), new Gate()];
  const store = await storeInMemory(clock, PROCESS);
  const list = store.usage.list.bind(store.usage);
  Object.assign(store.usage, { list: async (query: UsageQuery) => (started.open(), await gate.opened, await list(query)) });
  const held = await AdminWorld.start({ clock, store });
  try {
    const [one, other] = await Promise.all([1, 2].map(() => held.headersOf(['usage:read'])));
    const first = held.call('/usage/export', one ?? {});
    await started.opened;
    const second = await held.call('/usage/export', one ?? {});
    expect([second.status, second.body.error, second.headers.get('retry-after')]).toEqual([429, expect.objectContaining({ code: 'too_many_attempts' }), '5']);
    const another = held.call('/usage/export', other ?? {});
    gate.open();
    expect([(await first).status, (await another).status, (await held.call('/usage/export', one ?? {})).status]).toEqual([200, 200, 200]);
  } finally {
    gate.open();
    await held.close();
  }
});

it('every list can be narrowed by external:<id>; an unknown id is refused instead of giving an empty list', async () => {
  const dataOf = async (query: string) => (await world.call(query, headers)).body['data'] as readonly { readonly account_id: string }[];
  expect((await dataOf(`/usage?account=${CALLER}`)).map(({ account_id: id }) => id)).toEqual([1, 2].map(() => world.gateway.caller.account.id));
  expect((await dataOf('/events?account=external:other')).map(({ account_id: id }) => id)).toEqual(['acct_other']);
  for (const path of ['/usage', '/usage/summary', '/usage/first-token', '/usage/export', '/events', '/payments', '/statements']) {
    expect([path, (await world.call(`${path}?account=${CALLER}`, headers)).status]).toEqual([path, 200]);
    const unknown = await world.call(`${path}?account=external:unknown`, headers);
    expect([path, unknown.status, unknown.body.error]).toEqual([path, 404, expect.objectContaining({ code: 'not_found', param: 'account' })]);
    expect([path, (await world.call(`${path}?account=customer`, headers)).body.error]).toMatchObject([path, { param: 'account', message: 'account: must be the id of an account, or external: and your own id for it.' }]);
  }
});
