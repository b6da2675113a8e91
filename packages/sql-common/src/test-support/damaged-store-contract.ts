import { later, MILLISECONDS_PER_HOUR, ServiceTokens, SYSTEM_ACTOR, type Webhook } from '@tollgate/core';
import { type Alert, type DueDelivery, type MailId, type StoredMail, Webhooks, type WebhookTurn } from '@tollgate/identity';
import { afterMonth, anEnding, makeStatements, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlStore } from '../store/sql-store.js';
import type { DamageableStore, FillStore } from './request-books-contract.js';
import { webhooksOver } from './store-contracts.js';

/** Alice and Bob have 100 service tokens each, and alerts at 90 and 50. */
const twoCustomers: FillStore = async (store: SqlStore) => {
  const driver = await StoreDriver.start(() => store);
  for (const account of [STORE_ALICE, STORE_BOB]) {
    await driver.credit('100', account);
    await store.alerts.choose(account, ['90', '50'].map((amount) => ServiceTokens.parse(amount)), { actor: SYSTEM_ACTOR, at: STORE_NOON });
  }
};

function mailOf({ to, kind, accountId, events }: Alert): StoredMail {
  const subject = [to, kind, ...events.map(({ data: { threshold } }) => (typeof threshold === 'string' ? threshold : ''))].join(' ');
  return {
    id: `mail_${subject}` as MailId, kind: 'test', to, accountId, rank: 'verified', subject, text: 'text', html: 'html', reference: subject, storedAt: STORE_NOON,
    expiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR),
  };
}

function sendsAlerts(subject: () => DamageableStore & { readonly driver: StoreDriver }): void {
  it.each(['[', '{}', '5', '[]', '[1]', '"event"'])('sends alerts to all accounts after the list of waiting events of one account was damaged to %s', async (waiting) => {
    const { driver, store: { alertRecords, events, mail } } = subject();
    await driver.serve(1, anEnding(15));
    await events.position();
    expect(await alertRecords.storeMails(mailOf, STORE_NOON)).toMatchObject({ mails: 1, failures: [] });
    await subject().damage(`update account_alerts set waiting = '${waiting}' where account_id = '${STORE_ALICE}' and kind = 'balance.low'`);
    await driver.serve(2, anEnding(40));
    await driver.serve(3, anEnding(15), { accountId: STORE_BOB });
    await events.position();
    expect(await alertRecords.storeMails(mailOf, later(STORE_NOON, MILLISECONDS_PER_HOUR))).toMatchObject({ mails: 2, failures: [] });
    const subjects = (await mail.list({ limit: 9, after: null })).map(({ subject: shown }) => shown ?? '');
    expect(subjects.toSorted()).toEqual(['alice@example.test balance.low 50', 'alice@example.test balance.low 90', 'bob@example.test balance.low 90']);
  });

  it('fails to send alerts only for the account whose list of waiting events is unreadable', async () => {
    const { driver, store: { alertRecords, events } } = subject();
    for (const account of [STORE_ALICE, STORE_BOB]) await driver.serve(account === STORE_ALICE ? 1 : 2, anEnding(15), { accountId: account });
    await events.position();
    await alertRecords.storeMails(mailOf, STORE_NOON);
    for (const [account, waiting] of [[STORE_ALICE, '[1]'], [STORE_BOB, '[]']]) await subject().damage(`update account_alerts set waiting = '${waiting}' where account_id = '${account}'`);
    const { failures, outcome } = await alertRecords.storeMails(mailOf, later(STORE_NOON, MILLISECONDS_PER_HOUR));
    expect([failures.map(String), outcome]).toEqual([[`Error: the mail about balance.low to ${STORE_ALICE} could not be made`], 'done']);
  });

  it('sends no alerts while a query fails, and those of all accounts afterwards', async () => {
    const { driver, store: { alertRecords, events } } = subject();
    for (const account of [STORE_ALICE, STORE_BOB]) await driver.serve(account === STORE_ALICE ? 1 : 2, anEnding(15), { accountId: account });
    await events.position();
    await subject().damage('alter table events rename column data to former_data');
    const [failed] = await Promise.allSettled([alertRecords.storeMails(mailOf, STORE_NOON)]);
    await subject().damage('alter table events rename column former_data to data');
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('data') } });
    expect(await alertRecords.storeMails(mailOf, STORE_NOON)).toMatchObject({ mails: 2, failures: [] });
  });
}

interface QueuedEvents {
  readonly webhook: Webhook;
  readonly webhooks: Webhooks;
  readonly turn: WebhookTurn;
  readonly due: () => Promise<readonly DueDelivery[]>;
}

/** Queues three bookings of Alice for a webhook, and begins a turn of it. */
async function queueEvents({ store }: DamageableStore, driver: StoreDriver): Promise<QueuedEvents> {
  const { ids, sealer } = webhooksOver(store, store);
  const webhooks = new Webhooks({ records: store.webhooks, ids, sealer, targets: { problemOf: () => null } });
  do await store.events.position(); while (await store.webhookQueue.spread(STORE_NOON) > 0);
  const { webhook } = await webhooks.create({ owner: null, url: 'https://shop.example.test/hook', types: ['balance.booked'], description: '' }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
  for (const amount of ['1', '2', '3']) await driver.credit(amount);
  do await store.events.position(); while (await store.webhookQueue.spread(STORE_NOON) > 0);
  const turn = await store.webhookQueue.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR), of: 'operators' });
  if (turn === null) throw new Error('no webhook is due');
  return { webhook, webhooks, turn, due: () => store.webhookQueue.due(webhook.id, STORE_NOON, 100) };
}

function shownOf({ event, isUnreadable }: DueDelivery): unknown {
  return isUnreadable ? 'unreadable' : event?.data['amount'];
}

function queuesForWebhooks(subject: () => DamageableStore & { readonly driver: StoreDriver }): void {
  it.each(['{', ''])('delivers the events after an unreadable one, whose data is "%s", and that one after a repair', async (data) => {
    const { driver, store: { webhookQueue } } = subject();
    const { webhook, webhooks, turn, due } = await queueEvents(subject(), driver);
    const event = (await due())[1]?.event ?? null;
    if (event === null) throw new Error('fewer than two events are due');
    const write = (text: string) => subject().damage(`update events set data = '${text}' where id = '${event.id}'`);
    await write(data);
    expect((await due()).map(shownOf)).toEqual(['1', 'unreadable', '3']);
    const [, unreadable] = await due();
    if (unreadable === undefined) throw new Error('the unreadable event is not due');
    expect(unreadable).toEqual({ event: null, isUnreadable: true, eventId: event.id, attempts: 0 });
    await webhookQueue.record(turn, {
      delivery: unreadable, nextAttemptAt: null, attempt: { at: STORE_NOON, milliseconds: 0, status: null, answer: null, failure: 'unreadable' },
    });
    expect((await due()).map(shownOf)).toEqual(['1', '3']);
    const name = { owner: null, id: webhook.id };
    const page = await webhooks.deliveries(name, { limit: 9, after: null });
    expect(page?.deliveries.filter(({ state }) => state === 'failed').map(({ eventId, lastAttempt }) => [eventId, lastAttempt?.failure])).toEqual([[event.id, 'unreadable']]);
    expect((await webhooks.find(name))?.failingSince).toBeNull();
    await write(JSON.stringify(event.data));
    await webhooks.resend(name, { eventId: event.id }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    expect((await due()).map(shownOf)).toEqual(['1', '2', '3']);
  });

  it('passes over no event for a webhook while a query fails', async () => {
    const { due } = await queueEvents(subject(), subject().driver);
    await subject().damage('alter table events rename column data to former_data');
    const [failed] = await Promise.allSettled([due()]);
    await subject().damage('alter table events rename column former_data to data');
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('data') } });
    expect((await due()).map(shownOf)).toEqual(['1', '2', '3']);
  });
}

/** Tests that damage to one account's rows affects no other account. @param make returns a store after `fill` has filled it. */
export function damagedStoreContract(name: string, make: (fill: FillStore) => Promise<DamageableStore>): void {
  describe(`a damaged store: ${name}`, () => {
    let subject: DamageableStore;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make(twoCustomers);
      driver = new StoreDriver(subject.store);
    });

    afterEach(async () => {
      await driver.close();
      await subject.remove();
    });

    it('makes no statements while a query fails, and those of all accounts afterwards', async () => {
      const makeAll = () => makeStatements(subject.store.statements, afterMonth(11));
      await subject.damage('alter table ledger_entries rename column reference to former_reference');
      const [failed] = await Promise.allSettled([makeAll()]);
      await subject.damage('alter table ledger_entries rename column former_reference to reference');
      expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('reference') } });
      expect(await makeAll()).toEqual({ made: 2, outcome: 'done', failures: [] });
    });

    sendsAlerts(() => ({ ...subject, driver }));
    queuesForWebhooks(() => ({ ...subject, driver }));
  });
}
