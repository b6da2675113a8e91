import { later, MILLISECONDS_PER_HOUR, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Alert, MailId, StoredMail } from '@tollgate/identity';
import { afterMonth, anEnding, makeStatements, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlStore } from '../store/sql-store.js';
import type { DamageableStore, FillStore } from './request-books-contract.js';

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
  });
}
