import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { addPerson, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';
import { type AdminHeaders, type AdminReply, AdminWorld } from './admin-world.js';

let world: AdminWorld;
let headers: AdminHeaders;
let olga: TestPerson;
let ann: TestPerson;
beforeAll(async () => {
  world = await AdminWorld.start();
  headers = await world.headersOf(['accounts:write', 'controls:write']);
  [olga, ann] = [await addPerson(world.gateway.gateway, 'olga@example.test', 'operator'), await addPerson(world.gateway.gateway, 'ann@example.test')];
});
afterAll(() => world.close());

/** Acts on an account, in an order in which each succeeds after the earlier ones. */
const ACTS: readonly (readonly [string, (account: string) => Promise<AdminReply>])[] = [
  ['suspend', (account) => post(`/accounts/${account}/suspend`, { reason: 'abuse' })],
  ['deletion', (account) => post(`/accounts/${account}/deletion`)],
  ['block', (account) => post(`/accounts/${account}/block`)],
  ['block by kind', (account) => post('/blocks', { kind: 'account', subject: account, reason: null, expires_at: null })],
];

function post(path: string, body?: object): Promise<AdminReply> {
  return world.call(path, headers, { method: 'POST', ...(body === undefined ? {} : { body }) });
}

it.each(ACTS)('a machine cannot remove the access of an operator: %s', async (_act, act) => {
  const browser = new TestBrowser(world.gateway.gateway);
  await browser.call(contract.signIn, { body: { email: olga.person.email, password: olga.password } });
  const { status, body } = await act(olga.person.accountId ?? '');
  expect([status, body.error?.['code']]).toEqual([403, 'session_required']);
  expect((await browser.call(contract.me)).body).toMatchObject({ account: { standing: 'good' } });
  expect((await act(ann.person.accountId ?? '')).status).toBeLessThan(300);
});
