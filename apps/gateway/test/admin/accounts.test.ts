import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Account, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount } from '@tollgate/testkit';
import { AdminWorld } from './admin-world.js';

let world: AdminWorld;
let headers: Readonly<Record<string, string>>;
beforeEach(async () => {
  world = await AdminWorld.start();
  headers = await world.headersOf(['accounts:read']);
});
afterEach(() => world.close());

async function idsOf(query: string): Promise<readonly string[]> {
  const { status, body } = await world.call(`/accounts?${query}`, headers);
  expect(status).toBe(200);
  return (body['data'] as readonly Account[]).map(({ id }) => id);
}

async function add(id: string, differences: Partial<Account>): Promise<Account> {
  const account = anAccount({ id: id as Account['id'], email: `${id}@example.test`, createdAt: world.clock.now(), ...differences });
  await world.accounts.create(account, SYSTEM_ACTOR);
  return account;
}

it('a machine finds accounts by external id, address and status', async () => {
  await add('acct_one', { externalId: 'customer 7/ä', metadata: { tier: 'gold' } });
  await add('acct_two', { status: 'suspended' });
  expect(await idsOf(`external_id=${encodeURIComponent('customer 7/ä')}`)).toEqual(['acct_one']);
  expect(await idsOf('external_id=customer')).toEqual([]);
  expect(await idsOf('email=ACCT_ONE@example.test')).toEqual(['acct_one']);
  expect(await idsOf('email=acct_one@example.test&status=suspended')).toEqual([]);
  expect(await idsOf(`email=acct_two@example.test&external_id=${encodeURIComponent('customer 7/ä')}`)).toEqual([]);
  expect(await idsOf('status=suspended')).toEqual(['acct_two']);
});

it('a machine searches and orders accounts as operators do; a text search cannot be combined with exact filters', async () => {
  await add('acct_one', { externalId: 'customer 7/ä', name: 'Rocket' });
  await add('acct_two', { status: 'suspended', name: 'Rockets' });
  expect(await idsOf('q=7%2FÄ')).toEqual(['acct_one']);
  expect(await idsOf('q=rocket&sort=-email')).toEqual(['acct_two', 'acct_one']);
  expect(await idsOf('q=rocket&status=suspended')).toEqual(['acct_two']);
  expect(await idsOf('q=rocket&standing=good&available_below=1&unused_since=2026-01-01&plan=pay-as-you-go')).toEqual(['acct_one']);
  for (const exact of ['external_id=a', 'email=a@b.test', 'updated_after=2026-01-01T00:00:00Z']) {
    expect((await world.call(`/accounts?q=rocket&${exact}`, headers)).body.error).toMatchObject({ code: 'invalid_request' });
  }
});

it('an account, its balance, its ledger and its keys are found by external:<id> instead of the id', async () => {
  await add('acct_one', { externalId: 'customer 7/ä', metadata: { tier: 'gold' } });
  for (const path of ['', '/balance', '/ledger', '/keys']) {
    expect([path, (await world.call(`/accounts/${encodeURIComponent('external:customer 7/ä')}${path}`, headers)).status]).toEqual([path, 200]);
  }
  expect((await world.call('/accounts/external:customer%207%2F%C3%A4', headers)).body).toMatchObject({ id: 'acct_one', external_id: 'customer 7/ä', metadata: { tier: 'gold' } });
  expect((await world.call('/accounts/external:other', headers)).body.error).toMatchObject({ code: 'not_found' });
});

it('a machine lists the accounts changed after an instant, in pages, but not with a cursor of another list', async () => {
  world.clock.advance(1000);
  const since = new Date(world.clock.now()).toISOString();
  world.clock.advance(1000);
  for (const id of ['acct_one', 'acct_two', 'acct_three']) await add(id, {});
  const first = await world.call(`/accounts?limit=2&updated_after=${since}`, headers);
  expect(first.body).toMatchObject({ data: [{ id: 'acct_one' }, { id: 'acct_three' }], has_more: true });
  const rest = await world.call(`/accounts?limit=2&updated_after=${since}&cursor=${String(first.body['next_cursor'])}`, headers);
  expect(rest.body).toMatchObject({ data: [{ id: 'acct_two' }], has_more: false, next_cursor: null });
  for (const query of ['cursor=x', `updated_after=${since}&cursor=acct_one`, `updated_after=${since}&cursor=${Buffer.from('[1,"x"]').toString('base64url')}`]) {
    expect((await world.call(`/accounts?${query}`, headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'cursor' });
  }
  expect((await world.call(`/accounts?email=a@b.test&updated_after=${since}`, headers)).body.error).toMatchObject({ code: 'invalid_request' });
  expect((await world.call('/accounts?updated_after=yesterday', headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'updated_after' });
});
