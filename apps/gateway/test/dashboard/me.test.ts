import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, later, rfc3339, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const MINUTE = 60_000;
const CREDIT_LINE = 'Write to billing@example.com, or see https://example.com/credit.';

let running: TestGateway;
let owner: TestBrowser;
let operator: TestBrowser;

async function bannerOf(browser: TestBrowser): Promise<unknown> {
  return (await browser.call(contract.me)).body['banner'];
}

beforeAll(async () => {
  running = await startTestGateway({
    settings: { dashboard: { ...TEST_SETTINGS.dashboard, creditLine: CREDIT_LINE } },
    services: ({ store }) => ({ platform: store.platform }),
  });
  const people = [await addPerson(running.gateway, 'ada@example.com'), await addPerson(running.gateway, 'op@example.com', 'operator')] as const;
  [owner, operator] = [new TestBrowser(running.gateway), new TestBrowser(running.gateway)];
  for (const [index, browser] of [owner, operator].entries()) {
    await browser.call(contract.signIn, { body: { email: people[index]?.person.email ?? '', password: people[index]?.password ?? '' } });
  }
  // The plan of this person excludes the model `other-plan`.
  await running.gateway.accountAdministration.change(textOf(await owner.call(contract.account), 'id') as AccountId, { planId: running.caller.account.planId }, SYSTEM_ACTOR);
});
afterAll(() => running.close());

it('a signed-in person gets the settings of the gateway that the pages show', async () => {
  const origin = running.url.replace('127.0.0.1', 'localhost');
  expect((await owner.call(contract.me)).body['settings']).toEqual({
    sign_up: 'open', public_url: origin, api_url: origin, require_second_factor: 'none', mail: false, credit_line: CREDIT_LINE, deletion_grace_days: 30,
  });
});

it('an owner sees the maintenance banner that the operator previewed', async () => {
  expect(await bannerOf(owner)).toBeNull();
  const [from, until] = [later(running.clock.now(), MINUTE), later(running.clock.now(), 2 * MINUTE)].map(rfc3339);
  const body = { state: 'on', from: from ?? null, until: until ?? null, message: 'The database moves.' } as const;
  const previewed = (await operator.call(contract.previewMaintenance, { body })).body['banner'];
  expect(await bannerOf(owner)).toBeNull();
  const set = await operator.call(contract.setMaintenance, { body });
  expect(previewed).toEqual({
    kind: 'maintenance', state: 'planned', from, until, text: 'Maintenance is planned. While it lasts, requests are refused with maintenance_mode. The database moves.',
  });
  expect([await bannerOf(owner), set.body['banner']]).toEqual([previewed, previewed]);
  running.clock.advance(MINUTE);
  expect(await bannerOf(owner)).toMatchObject({ state: 'on' });
  running.clock.advance(MINUTE);
  expect(await bannerOf(owner)).toBeNull();
});

it('an owner sees the banner about a limited model that the operator previewed', async () => {
  await operator.call(contract.setIncidentLimit, { body: { model: 'other-plan', requests_per_minute: 1 } });
  expect(await bannerOf(owner)).toBeNull();
  const body = { model: 'small', requests_per_minute: 10, expires_at: rfc3339(later(running.clock.now(), MINUTE)) };
  const previewed = (await operator.call(contract.previewIncidentLimit, { body })).body['banner'];
  await operator.call(contract.setIncidentLimit, { body });
  expect(previewed).toMatchObject({ kind: 'incident', state: 'on', until: body.expires_at, text: 'The model small is limited for now: 10 requests a minute.' });
  expect(await bannerOf(owner)).toEqual(previewed);
});

it.each([
  [{ state: 'on', until: '2020-01-01T00:00:00Z' }, 'until'], [{ state: 'on', message: ' ' }, 'message'],
] as const)('a preview of the maintenance %j is refused, and the field is named', async (body, param) => {
  const reply = await operator.call(contract.previewMaintenance, { body });
  expect([reply.status, reply.body.error?.param]).toEqual([400, param]);
});
