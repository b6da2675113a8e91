import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, MILLISECONDS_PER_HOUR, ServiceTokens, SYSTEM_ACTOR, utcDayOf, type WebhookId } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { ALERT_MAILER_MILLISECONDS } from '../src/background/alert-mailer.js';
import { EVENT_KEEPER_MILLISECONDS } from '../src/background/event-keeper.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../src/test-support/test-browser.js';

let running: TestGateway;
let browser: TestBrowser;
let accountId: AccountId;

beforeEach(async () => {
  running = await startTestGateway();
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  accountId = person.accountId as AccountId;
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  await book('raise', '100');
});
afterEach(() => running.close());

/** Books a correction under a new reference. */
async function book(direction: 'raise' | 'lower', amount: string): Promise<void> {
  const reference = `${direction} by ${amount} at ${running.clock.now()}`;
  await running.parts.store.ledger.book({ kind: 'correction', direction, accountId, amount: ServiceTokens.parse(amount), reference, reason: 'a test', actor: SYSTEM_ACTOR, at: running.clock.now() });
}

/** Subjects of waiting messages, oldest first, once there are at least `count`. */
async function subjects(count: number): Promise<readonly string[]> {
  const listed = async () => (await running.parts.store.mail.list({ limit: 100, after: null })).map(({ subject }) => subject ?? '').toReversed();
  await running.clock.advanceAsync(EVENT_KEEPER_MILLISECONDS);
  await running.clock.advanceAsync(ALERT_MAILER_MILLISECONDS);
  await until(async () => (await listed()).length >= count);
  return listed();
}

describe('mails about events', () => {
  it('tell the owner that the balance is below a chosen threshold, and that it is used up', async () => {
    const chosen = await browser.call(contract.changeNotifications, {
      body: { mails: { balance_low: true, balance_exhausted: true, key_limit_reached: true, account_cap_reached: true, webhook_disabled: true, credit_expiring: true }, alert_thresholds: ['12.5', '60'] },
    });
    expect(chosen.body).toMatchObject({ alert_thresholds: ['60', '12.5'], alert_thresholds_in_force: ['60', '12.5'] });
    await book('lower', '50');
    expect(await subjects(1)).toEqual(['Your balance is below 60 service tokens']);
    await book('lower', '49.5');
    expect((await subjects(2)).toSorted()).toEqual(['Your balance is below 60 service tokens', 'Your balance is used up']);
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect((await subjects(3)).toSorted()).toEqual(['Your balance is below 12.5 service tokens', 'Your balance is below 60 service tokens', 'Your balance is used up']);
  });

  it('are in the language of the person', async () => {
    await browser.call(contract.changeLanguage, { body: { language: 'de' } });
    await book('lower', '99.5');
    expect(await subjects(1)).toEqual(['Ihr Guthaben ist aufgebraucht']);
  });

  it('tell the owner that a token cap causes refusals', async () => {
    await running.parts.store.backgroundEvents.capReached({ accountId, period: utcDayOf(running.clock.now()), maximum: 1_000_000, used: 1_000_000 }, running.clock.now());
    expect(await subjects(1)).toEqual(['The daily token cap of your plan is reached']);
  });

  it('are not sent for a kind that the owner has turned off', async () => {
    await browser.call(contract.changeNotifications, { body: { mails: { balance_low: false, balance_exhausted: true, key_limit_reached: true, account_cap_reached: true, webhook_disabled: true, credit_expiring: true }, alert_thresholds: ['60'] } });
    await book('lower', '99.5');
    expect(await subjects(1)).toEqual(['Your balance is used up']);
  });
});

describe('a webhook that is disabled', () => {
  const ORIGINS = 'https://shop.example.com';

  async function disabledWebhook(owner: AccountId | null): Promise<void> {
    const { webhooks, webhookQueue } = running.parts.store;
    const id = `hook_${owner ?? 'operators'}` as WebhookId;
    const webhook = {
      id, owner, url: `${ORIGINS}/hook?token=t`, types: null, description: '', createdAt: running.clock.now(), previousSecretExpiresAt: null, disabled: null, failingSince: null,
    };
    await webhooks.create({ webhook, sealedSecret: 'sealed', maximum: 5 }, { actor: SYSTEM_ACTOR, at: running.clock.now() });
    const turn = { webhook, number: 0, sealedSecret: 'sealed', sealedPreviousSecret: null };
    for (let time = 0; time < 2; time += 1) await webhookQueue.disable(turn, 'gone', running.clock.now());
  }

  async function mails(count: number): Promise<readonly string[]> {
    await subjects(count);
    return (await running.parts.store.mail.list({ limit: 100, after: null })).map(({ to, subject }) => `${to}: ${subject}`).toSorted();
  }

  it('is reported once to its owner, or to each operator if it belongs to the operators', async () => {
    for (const name of ['olga', 'otto']) await addPerson(running.gateway, `${name}@example.com`, 'operator');
    await disabledWebhook(accountId);
    expect(await mails(1)).toEqual(['ann@example.com: A webhook was disabled']);
    await disabledWebhook(null);
    expect(await mails(3)).toEqual(['ann@example.com', 'olga@example.com', 'otto@example.com'].map((to) => `${to}: A webhook was disabled`));
  });

  it('is not reported to an owner who has turned this notification off', async () => {
    await browser.call(contract.changeNotifications, { body: { mails: { balance_low: true, balance_exhausted: true, key_limit_reached: true, account_cap_reached: true, webhook_disabled: false, credit_expiring: true }, alert_thresholds: ['60'] } });
    await disabledWebhook(accountId);
    await book('lower', '50');
    expect(await mails(1)).toEqual(['ann@example.com: Your balance is below 60 service tokens']);
  });
});

describe('the notifications of an account', () => {
  const ON = { balance_low: true, balance_exhausted: true, key_limit_reached: true, account_cap_reached: true, webhook_disabled: true, credit_expiring: true };

  it('are all on at first, with the operator’s thresholds', async () => {
    expect((await browser.call(contract.notifications)).body).toEqual({
      object: 'notifications', mails: ON, alert_thresholds: null, alert_thresholds_in_force: [],
    });
    await running.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('200'), reference: 'first', actor: SYSTEM_ACTOR });
    expect((await browser.call(contract.notifications)).body).toMatchObject({ alert_thresholds: null, alert_thresholds_in_force: ['40', '10'] });
  });

  it('are changed as a whole, and a repeated change is not audited again', async () => {
    const body = { mails: { ...ON, key_limit_reached: false }, alert_thresholds: ['5', '5.0', '7'] };
    for (let times = 0; times < 2; times += 1) {
      expect((await browser.call(contract.changeNotifications, { body })).body).toMatchObject({ mails: body.mails, alert_thresholds: ['7', '5'], alert_thresholds_in_force: ['7', '5'] });
    }
    const changes = (await running.trail()).filter(({ action }) => action === 'account.changed');
    expect(changes.map(({ details, actor }) => [actor.kind, details])).toEqual([
      ['owner', { alertThresholds: ['7', '5'] }], ['owner', { disabledAlerts: ['key.limit_reached'] }],
    ]);
    expect((await browser.call(contract.changeNotifications, { body: { mails: ON, alert_thresholds: null } })).body).toMatchObject({ mails: ON, alert_thresholds: null });
  });

  it.each([
    { mails: ON, alert_thresholds: [] }, { mails: ON, alert_thresholds: ['1', '2', '3', '4'] }, { mails: ON, alert_thresholds: ['0'] }, { mails: ON, alert_thresholds: ['-1'] },
    { mails: ON, alert_thresholds: ['20%'] }, { mails: { balance_low: true }, alert_thresholds: null }, { mails: ON },
  ])('refuse %j', async (body) => {
    expect((await browser.call(contract.changeNotifications, { body: body as never })).body.error).toMatchObject({ code: 'invalid_request' });
  });

  it('include alert thresholds that operators can read', async () => {
    const boss = await addPerson(running.gateway, 'boss@example.com', 'operator');
    const operator = new TestBrowser(running.gateway);
    await operator.call(contract.signIn, { body: { email: boss.person.email, password: boss.password } });
    await browser.call(contract.changeNotifications, { body: { mails: ON, alert_thresholds: ['5'] } });
    expect((await operator.call(contract.readAccount, { params: { id: accountId } })).body).toMatchObject({ alert_thresholds: ['5'], alert_thresholds_in_force: ['5'] });
  });
});
