import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, MAX_AUDIT_PAGE, MILLISECONDS_PER_HOUR, NO_AUDIT_FILTERS, rfc3339, later } from '@tollgate/core';
import { contract } from '@tollgate/api-contract';
import { services } from '../../src/composition/services.js';
import { addPerson, TestBrowser, TestMailbox, type TestPerson } from '../../src/test-support/test-browser.js';
import { type AdminHeaders, type AdminReply, AdminWorld } from './admin-world.js';

const NEW_ADDRESS = 'carol@example.org';

let mailbox: TestMailbox;
let world: AdminWorld;
let headers: AdminHeaders;
let carol: TestPerson;

beforeEach(async () => {
  mailbox = await TestMailbox.start();
  world = await AdminWorld.start({ mail: mailbox.route });
  headers = await world.headersOf(['accounts:read', 'accounts:write', 'events:read']);
  carol = await addPerson(world.gateway.gateway, 'carol@example.test');
});
afterEach(async () => {
  await world.close();
  await mailbox.close();
});

function request(email: string, account: string | null = carol.person.accountId): Promise<AdminReply> {
  return world.call(`/accounts/${account ?? ''}/email-change`, headers, { method: 'POST', body: { email } });
}

async function follow(token: string): Promise<unknown> {
  return (await new TestBrowser(world.gateway.gateway).call(contract.confirmChangeEmail, { body: { token } })).body['state'];
}

const told = ({ status, body: { error } }: AdminReply) => [status, error?.['code'], error?.['param'] ?? null];

it('an address changes only after the owner has opened two links: one sent to the present address, one to the new', async () => {
  const accepted = await request(NEW_ADDRESS);
  const [id, until] = [carol.person.accountId, rfc3339(later(world.clock.now(), MILLISECONDS_PER_HOUR))];
  expect([accepted.status, accepted.body]).toEqual([202, { object: 'email_change', account_id: id, email: NEW_ADDRESS, expires_at: until }]);
  const present = async () => (await world.call(`/accounts/${id ?? ''}`, headers)).body['email'];
  const asked = await mailbox.next('carol@example.test');
  expect(asked.text).toContain(`want to change the e-mail address of your Tollgate account to ${NEW_ADDRESS}`);
  expect(asked.text).not.toContain('knows your password');
  expect(await follow(/token=([A-Za-z0-9_-]+)/.exec(asked.text)?.[1] ?? '')).toBe('confirmed');
  expect(await present()).toBe('carol@example.test');
  expect(await follow((await mailbox.nextLink(NEW_ADDRESS)).token)).toBe('changed');
  expect(await present()).toBe(NEW_ADDRESS);
  const { body } = await world.call(`/events?account=${id ?? ''}&type=account.changed`, headers);
  expect(body['data']).toMatchObject([{ data: { changed: ['email'] } }]);
});

it('a requested change of address is audited as an act of the machine, and the owner can read the entry', async () => {
  await request(NEW_ADDRESS);
  const page = await world.gateway.gateway.container.get(services.auditTrail).list({ ...NO_AUDIT_FILTERS, actorKind: 'machine', limit: MAX_AUDIT_PAGE, cursor: null });
  expect(page?.records).toMatchObject([{ action: 'person.email-change-requested', subject: carol.person.id, accountId: carol.person.accountId, texts: { to: NEW_ADDRESS } }]);
  const browser = new TestBrowser(world.gateway.gateway);
  await browser.call(contract.signIn, { body: { email: carol.person.email, password: carol.password } });
  const { body } = await browser.call(contract.activity);
  expect((body['data'] as readonly unknown[])[0]).toMatchObject({ action: 'person.email-change-requested', by: 'machine' });
});

it('a change of address is refused for an operator, for an account without a person, and for an inactive account', async () => {
  const boss = await addPerson(world.gateway.gateway, 'boss@example.test', 'operator');
  expect(told(await request(NEW_ADDRESS, world.gateway.caller.account.id))).toEqual([409, 'conflict', null]);
  expect(told(await request(NEW_ADDRESS, boss.person.accountId))).toEqual([403, 'session_required', null]);
  const id = carol.person.accountId ?? '' as AccountId;
  for (const [act, undo] of [['suspend', 'reactivate'], ['block', 'unblock']] as const) {
    await world.call(`/accounts/${id}/${act}`, headers, { method: 'POST', ...(act === 'suspend' ? { body: { reason: 'abuse' } } : {}) });
    expect([act, told(await request(NEW_ADDRESS))]).toEqual([act, [409, 'conflict', null]]);
    await world.call(`/accounts/${id}/${undo}`, headers, { method: 'POST' });
  }
  expect(await mailbox.subjects('carol@example.test')).toEqual([]);
  expect((await request(NEW_ADDRESS)).status).toBe(202);
});

it('an address that is taken, unchanged or invalid is refused, and the field is named', async () => {
  await addPerson(world.gateway.gateway, 'taken@example.test');
  expect(told(await request('TAKEN@example.test'))).toEqual([409, 'conflict', 'email']);
  for (const email of ['CAROL@example.test', 'nobody', '']) expect([email, told(await request(email))]).toEqual([email, [400, 'invalid_request', 'email']]);
});

it('at most five changes of address an hour can be requested for an owner', async () => {
  const statuses: number[] = [];
  for (let asked = 0; asked < 5; asked += 1) statuses.push((await request(`carol${asked}@example.org`)).status);
  const sixth = await request(NEW_ADDRESS);
  expect([statuses, told(sixth), sixth.headers.get('retry-after')]).toEqual([[202, 202, 202, 202, 202], [429, 'too_many_attempts', null], '3600']);
  world.clock.advance(MILLISECONDS_PER_HOUR);
  expect((await request(NEW_ADDRESS)).status).toBe(202);
});
