import { type AccountId, instant, later, MILLISECONDS_PER_DAY, type ModelSlug, type PriceListId, StoreUnavailable, SYSTEM_ACTOR, utcDayOf } from '@tollgate/core';
import type { MailId, MailOutbox, NoticeAudience, NoticePass, NoticeRecipient, NoticeRecords, StoredMail } from '@tollgate/identity';
import { anAccount, anEnding, aServedModel } from '../../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

export interface NoticesSubject extends StoreSubject {
  readonly noticeRecords: NoticeRecords;
  readonly mail: MailOutbox;
}

/** One empty store, opened by two gateways. */
export interface SharedNotices {
  readonly store: NoticesSubject;
  readonly other: NoticesSubject;
  close?(): Promise<void>;
}

const SMALL = 'small' as ModelSlug;
const LARGE = 'large' as ModelSlug;
const PARTNERS = 'partners' as PriceListId;
const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const AUDIENCE: NoticeAudience = { notice: 'prices/2026-12-01', models: [SMALL, LARGE], usedSince: utcDayOf(later(STORE_NOON, -30 * MILLISECONDS_PER_DAY)), lists: null };

/** Tests which accounts are notified of announced changes of models. Adapters run it over every database, with two gateways. */
export function modelNoticesContract(name: string, make: () => Promise<SharedNotices>): void {
  describe(`NoticeRecords contract: ${name}`, () => {
    let shared: SharedNotices;
    let driver: StoreDriver;
    let requests: number;
    let mailIds = 0;
    const nextMailId = () => `mail_${(mailIds += 1)}` as MailId;

    beforeEach(async () => {
      shared = await make();
      driver = await StoreDriver.start(() => Promise.resolve(shared.store));
      requests = 0;
    });
    afterEach(() => shared.close?.());

    async function use(accountId: AccountId, model: ModelSlug, daysAgo = 0): Promise<void> {
      requests += 1;
      await driver.serve(requests, anEnding(1, { endedAt: later(STORE_NOON, -daysAgo * MILLISECONDS_PER_DAY), service: aServedModel({ servedBy: model }) }), { accountId });
    }

    function mailOf({ accountId, to, used }: NoticeRecipient, notice: string): StoredMail {
      return {
        id: nextMailId(), kind: 'price-change', to, accountId, rank: 'verified', subject: [to, ...[...used].toSorted()].join(' '), text: 'text', html: 'html',
        reference: `${notice}/${accountId}`, storedAt: STORE_NOON, expiresAt: later(STORE_NOON, MILLISECONDS_PER_DAY),
      };
    }

    async function tell(audience: Partial<NoticeAudience> = {}, records = shared.store.noticeRecords): Promise<number> {
      const whole = { ...AUDIENCE, ...audience };
      let mails = 0;
      let pass: NoticePass = { mails: 0, next: null, outcome: 'considered', failures: [] };
      do {
        pass = await records.storeMails(whole, pass.next, (recipient) => mailOf(recipient, whole.notice));
        mails += pass.mails;
      } while (pass.next !== null);
      return mails;
    }

    async function told(): Promise<readonly string[]> {
      return (await shared.store.mail.list({ limit: 1000, after: null })).map(({ subject }) => subject ?? '').toSorted();
    }

    it('notifies accounts that have recently used one of the given models, and names those that each account used', async () => {
      await use(STORE_ALICE, SMALL);
      await use(STORE_ALICE, LARGE, 30);
      await use(STORE_BOB, SMALL, 31);
      await use(STORE_BOB, 'other' as ModelSlug);
      expect(await tell()).toBe(1);
      expect(await told()).toEqual(['alice@example.test large small']);
    });

    it('sends each account a notice once, even if two gateways send it concurrently', async () => {
      const accounts = Array.from({ length: 120 }, (_none, number) => `acct_n${String(number).padStart(3, '0')}` as AccountId);
      for (const id of accounts) {
        await shared.store.accounts.create(anAccount({ id, email: `${id}@example.test`, createdAt: instant(1) }), SYSTEM_ACTOR);
        await use(id, SMALL);
      }
      const sums = await Promise.all([tell(), tell({}, shared.other.noticeRecords), tell({}, shared.other.noticeRecords)]);
      expect(sums.reduce((sum, mails) => sum + mails, 0)).toBe(120);
      expect(new Set(await told()).size).toBe(120);
      expect(await tell()).toBe(0);
      expect(await tell({ notice: 'prices/2027-01-01', models: [LARGE] })).toBe(0);
      expect(await told()).toHaveLength(120);
    });

    it('notifies the other accounts if the mail to one account cannot be composed, and retries that mail', async () => {
      await use(STORE_ALICE, SMALL);
      await use(STORE_BOB, SMALL);
      const pass = await shared.store.noticeRecords.storeMails(AUDIENCE, null, (recipient) => {
        if (recipient.accountId === STORE_ALICE) throw new RangeError('one row is unreadable');
        return mailOf(recipient, AUDIENCE.notice);
      });
      expect([pass.failures.map(String), pass]).toMatchObject([[`Error: the notice ${AUDIENCE.notice} to ${STORE_ALICE} could not be stored`], { mails: 1, next: null, outcome: 'considered' }]);
      expect([await tell(), await told()]).toEqual([1, ['alice@example.test small', 'bob@example.test small']]);
    });

    it('ends when the store fails, and returns the failures before that; the remaining accounts are considered again', async () => {
      for (const id of [STORE_ALICE, STORE_BOB]) await use(id, SMALL);
      const pass = await shared.store.noticeRecords.storeMails(AUDIENCE, null, ({ accountId }) => {
        throw accountId === STORE_ALICE ? new RangeError('one row is unreadable') : new StoreUnavailable('no disk');
      });
      expect(pass).toMatchObject({ mails: 0, next: null, outcome: 'store-away', failures: [{ cause: new RangeError('one row is unreadable') }, new StoreUnavailable('no disk')] });
      expect(await tell()).toBe(2);
    });

    it('stores no mail to an account that is changed between the search and the mail, and searches for it again', async () => {
      const { store: { noticeRecords, accounts } } = shared;
      for (const id of [STORE_ALICE, STORE_BOB]) await use(id, SMALL);
      const from = await accounts.findById(STORE_BOB) ?? anAccount();
      let blocking: Promise<unknown> = Promise.resolve();
      const pass = await noticeRecords.storeMails(AUDIENCE, null, (recipient) => {
        if (recipient.accountId === STORE_ALICE) blocking = accounts.moveStanding(STORE_BOB, { from, to: { ...from, blocked: true }, action: 'account.changed' }, BY);
        return mailOf(recipient, AUDIENCE.notice);
      });
      await blocking;
      expect([pass, await told()]).toEqual([{ mails: 1, next: null, outcome: 'considered', failures: [] }, ['alice@example.test small']]);
      await changeStanding(shared.store.accounts, STORE_BOB, { blocked: false }, BY);
      expect(await tell()).toBe(1);
    });

    it('notifies only accounts of one price list, or all accounts that have none of the given price lists', async () => {
      await use(STORE_ALICE, SMALL);
      await use(STORE_BOB, SMALL);
      await shared.store.accounts.change(STORE_BOB, { priceList: PARTNERS }, BY);
      expect(await tell({ lists: { only: PARTNERS } })).toBe(1);
      expect(await told()).toEqual(['bob@example.test small']);
      expect(await tell({ notice: 'second', lists: { othersThan: [PARTNERS] } })).toBe(1);
      expect(await told()).toEqual(['alice@example.test small', 'bob@example.test small']);
      expect(await tell({ notice: 'third', lists: { othersThan: ['gone' as PriceListId] } })).toBe(2);
      expect(await tell({ notice: 'fourth', lists: { othersThan: [] } })).toBe(2);
    });

    it.each([['suspended', { status: 'suspended' }], ['blocked', { blocked: true }], ['not verified', { emailVerified: false }]] as const)('notifies no account that is %s, until it is served again', async (_name, standing) => {
      await use(STORE_ALICE, SMALL);
      await changeStanding(shared.store.accounts, STORE_ALICE, standing, BY);
      expect(await tell()).toBe(0);
      await changeStanding(shared.store.accounts, STORE_ALICE, { status: 'active', blocked: false, emailVerified: true }, BY);
      expect(await tell()).toBe(1);
    });

    it('sends no notice twice, even after its record was pruned, and counts the accounts of each price list', async () => {
      await use(STORE_ALICE, SMALL);
      await tell();
      await shared.store.noticeRecords.prune(STORE_NOON);
      expect(await tell()).toBe(0);
      await shared.store.noticeRecords.prune(instant(STORE_NOON + 1));
      // The outbox still has the message, and does not store it a second time.
      expect([await tell(), (await told()).length]).toEqual([0, 1]);
      expect(await shared.store.noticeRecords.accountsByPriceList()).toEqual(new Map());
      for (const id of [STORE_ALICE, STORE_BOB]) await shared.store.accounts.change(id, { priceList: PARTNERS }, BY);
      expect(await shared.other.noticeRecords.accountsByPriceList()).toEqual(new Map([[PARTNERS, 2]]));
    });
  });
}
