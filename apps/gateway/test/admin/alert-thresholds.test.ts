import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AdminHeaders, AdminWorld, GRANTED_SCOPES } from './admin-world.js';

let world: AdminWorld;
let headers: AdminHeaders;
let path: string;
beforeEach(async () => {
  world = await AdminWorld.start();
  headers = await world.headersOf(GRANTED_SCOPES);
  path = `/accounts/${world.gateway.caller.account.id}`;
});
afterEach(() => world.close());

it('a machine sets alert thresholds together with other fields, once per idempotency key, and resets them', async () => {
  const change = { method: 'PATCH', body: { name: 'Shop customer', alert_thresholds: ['25', '75.5'] } };
  const keyed = { ...headers, 'idempotency-key': 'change 1' };
  const replies = [await world.call(path, keyed, change), await world.call(path, keyed, change)];
  expect(replies.map(({ status, body }) => [status, body['alert_thresholds'], body['alert_thresholds_in_force']])).toEqual([1, 2].map(() => [200, ['75.5', '25'], ['75.5', '25']]));
  expect((await world.call(path, headers)).body).toMatchObject({ name: 'Shop customer', alert_thresholds: ['75.5', '25'], alert_thresholds_in_force: ['75.5', '25'] });
  const events = (await world.call(`/events?type=account.changed`, headers)).body['data'];
  expect(events).toMatchObject([{ data: { changed: ['alert_thresholds', 'name'] } }]);
  expect((await world.call(path, headers, { method: 'PATCH', body: { alert_thresholds: null } })).status).toBe(200);
  expect((await world.call(path, headers)).body).toMatchObject({ alert_thresholds: null, alert_thresholds_in_force: ['200', '50'] });
});

it.each([[], ['1', '2', '3', '4'], ['0'], ['20%']].map((thresholds) => [thresholds]))('the alert thresholds %j are refused', async (thresholds) => {
  const { status, body } = await world.call(path, headers, { method: 'PATCH', body: { alert_thresholds: thresholds } });
  expect([status, body.error?.['code']]).toEqual([400, 'invalid_request']);
  expect(String(body.error?.['param'])).toMatch(/^alert_thresholds/);
});
