import {
  type AccountId, type ApiKeyId, type BackgroundEvents, budgetAt, type EventLog, type BalanceAlerts, type Instant, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, NO_AUDIT_FILTERS, ServiceTokens, SYSTEM_ACTOR, type UtcDay, utcDayOf, type UtcMonth, utcMonthOf,
  type WebhookId,
} from '@tollgate/core';
import { type Alert, type AlertRecords, type MailId, type MailOutbox, OPTIONAL_ALERT_KINDS, type StoredMail, type WebhookQueue, type WebhookRecords } from '@tollgate/identity';
import { anAccount, anEnding } from '../../builders/builders.js';
import type { ErasureSubject } from '../accounts/account-erasure-contract.js';
import { readAll, tokens } from '../events/events-subject.js';
import { changeStanding, creationOf, deleteAccount, numberedKey, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

/** One empty store with the records of alerts. */
export interface AlertsSubject extends ErasureSubject {
  readonly events: EventLog;
  readonly alerts: BalanceAlerts;
  readonly alertRecords: AlertRecords;
  readonly mail: MailOutbox;
  readonly webhooks: WebhookRecords;
  readonly webhookQueue: WebhookQueue;
  readonly backgroundEvents: BackgroundEvents;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const MINUTE = MILLISECONDS_PER_MINUTE;

/** Shows a mail as its recipient, its kind and, for each event, the threshold or `key:name`. */
function summaryOf({ kind, to, events, keyNames }: Alert): string {
  const subjects = events.map(({ data: { key_id: key, threshold } }) => (typeof key === 'string' ? `${key}:${keyNames.get(key) ?? ''}` : threshold)).filter((subject) => typeof subject === 'string');
  return [to, kind, ...subjects].join(' ');
}

/** Tests which alert mails owners receive. Adapters run it over every database. */
export function alertMailsContract(name: string, make: () => Promise<AlertsSubject>): void {
  describe(`AlertRecords contract: ${name}`, () => {
    let store: AlertsSubject;
    let driver: StoreDriver;
    let mails: number;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      mails = 0;
      await driver.credit('100');
      await store.alerts.choose(STORE_ALICE, tokens('90', '50', '20'), BY);
    });
    afterEach(() => driver.close());

    function mailOf(alert: Alert, at: Instant): StoredMail {
      mails += 1;
      return {
        id: `mail_${mails}_${at}` as MailId, kind: 'test', to: alert.to, accountId: alert.accountId, rank: 'verified', subject: summaryOf(alert), text: 'text', html: 'html',
        reference: `${alert.kind}/${alert.events.at(-1)?.id ?? ''}/${alert.accountId}`, storedAt: at, expiresAt: later(at, MILLISECONDS_PER_HOUR),
      };
    }

    async function tell(minutes = 0): Promise<void> {
      const at = later(STORE_NOON, minutes * MINUTE);
      await store.events.position();
      while ((await store.alertRecords.storeMails((alert) => mailOf(alert, at), at)).outcome === 'more');
    }

    /** The subjects of all messages in the outbox, oldest first. */
    async function told(): Promise<readonly string[]> {
      const listed = await store.mail.list({ limit: 1000, after: null });
      return listed.map(({ subject }) => subject ?? '').toReversed();
    }

    it('notifies the owner once of each threshold that the balance has fallen below', async () => {
      await driver.serve(1, anEnding(15));
      await tell();
      await tell();
      expect(await told()).toEqual(['alice@example.test balance.low 90']);
    });

    it('sends one mail of each kind for all thresholds that one booking crossed', async () => {
      await driver.serve(1, anEnding(100));
      await tell();
      expect((await told()).toSorted()).toEqual(['alice@example.test balance.exhausted 1', 'alice@example.test balance.low 90 50 20']);
    });

    it('sends at most one mail of each kind an hour, with all events since the previous mail', async () => {
      await driver.serve(1, anEnding(15));
      await tell();
      await driver.serve(2, anEnding(40));
      await driver.serve(3, anEnding(30));
      await tell(59);
      expect(await told()).toEqual(['alice@example.test balance.low 90']);
      await tell(60);
      await tell(60);
      await tell(200);
      expect(await told()).toEqual(['alice@example.test balance.low 90', 'alice@example.test balance.low 50 20']);
    });

    it('sends mail of one kind although mail of another kind was sent within the hour', async () => {
      await driver.serve(1, anEnding(15));
      await tell();
      await driver.serve(2, anEnding(85));
      await tell(1);
      expect(await told()).toEqual(['alice@example.test balance.low 90', 'alice@example.test balance.exhausted 1']);
    });

    it('names the keys that have reached their limits', async () => {
      for (const [number, keyName] of [[1, 'production'], [2, null]] as const) {
        const { id } = numberedKey(number);
        await store.keys.create(creationOf(numberedKey(number, { name: keyName })));
        const budget = budgetAt({ lineage: id, amount: ServiceTokens.parse('2'), period: 'day' }, STORE_NOON);
        await driver.reserve(number, '2', { budget, facts: { keyId: id } });
        await driver.settle(number, anEnding(2));
      }
      await tell();
      expect(await told()).toEqual(['alice@example.test key.limit_reached key_1:production key_2:']);
    });

    it('notifies the owner once of a disabled webhook, with its URL', async () => {
      const id = 'hook_1' as WebhookId;
      const webhook = { id, owner: STORE_ALICE, url: 'https://a.example/', types: null, description: '', createdAt: STORE_NOON, previousSecretExpiresAt: null, disabled: null, failingSince: null };
      await store.webhooks.create({ webhook, sealedSecret: 'sealed', maximum: 1 }, BY);
      const turn = { webhook, number: 0, sealedSecret: 'sealed', sealedPreviousSecret: null };
      await Promise.all([1, 2, 3].map(() => store.webhookQueue.disable(turn, 'failing', STORE_NOON)));
      await store.events.position();
      const alerts: Alert[] = [];
      await store.alertRecords.storeMails((alert) => {
        alerts.push(alert);
        return mailOf(alert, STORE_NOON);
      }, STORE_NOON);
      await tell();
      expect(alerts.map(({ kind, webhookUrls, events }) => [kind, [...webhookUrls], events.map(({ data }) => data)])).toEqual([
        ['webhook.disabled', [[id, 'https://a.example/']], [{ webhook_id: id, reason: 'failing' }]],
      ]);
      expect(await told()).toEqual(['alice@example.test webhook.disabled']);
    });

    it('notifies the owner once of each cap that refused requests, unless this kind of mail is turned off', async () => {
      const reach = (period: UtcDay | UtcMonth) => Promise.all([1, 2, 3].map(() => store.backgroundEvents.capReached({ accountId: STORE_ALICE, period, maximum: 100, used: 90 }, STORE_NOON)));
      expect((await reach(utcDayOf(STORE_NOON))).filter(Boolean)).toHaveLength(1);
      await tell();
      await reach(utcDayOf(STORE_NOON));
      await tell(61);
      expect(await told()).toEqual(['alice@example.test account.cap_reached']);
      await store.alertRecords.disable(STORE_ALICE, ['account.cap_reached'], BY);
      await reach(utcMonthOf(STORE_NOON));
      await tell(122);
      expect(await told()).toEqual(['alice@example.test account.cap_reached']);
    });

    it('sends no mail of a kind that is turned off, until it is turned on again', async () => {
      expect(await store.alertRecords.disable(STORE_ALICE, ['balance.low', 'key.limit_reached'], BY)).toBe(true);
      expect(await store.alertRecords.disabledKinds(STORE_ALICE)).toEqual(['balance.low', 'key.limit_reached']);
      expect(await store.alertRecords.disabledKinds(STORE_BOB)).toEqual([]);
      await driver.serve(1, anEnding(15));
      await tell();
      await store.alertRecords.disable(STORE_ALICE, [], BY);
      await tell(61);
      await driver.serve(2, anEnding(40));
      await tell(62);
      expect(await told()).toEqual(['alice@example.test balance.low 50']);
    });

    it('drops mail that is not yet due when its kind is turned off, even if the kind is turned on again', async () => {
      await driver.serve(1, anEnding(15));
      await tell();
      await driver.serve(2, anEnding(40));
      await tell(1);
      await store.alertRecords.disable(STORE_ALICE, OPTIONAL_ALERT_KINDS, BY);
      await store.alertRecords.disable(STORE_ALICE, [], BY);
      await tell(61);
      expect(await told()).toEqual(['alice@example.test balance.low 90']);
    });

    it('audits each change of the kinds that are turned off, but no repeated choice, and refuses an unknown account', async () => {
      for (const kinds of [['balance.low'], ['balance.low'], []] as const) await store.alertRecords.disable(STORE_ALICE, kinds, BY);
      expect(await store.alertRecords.disable('acct_none' as typeof STORE_ALICE, ['balance.low'], BY)).toBe(false);
      const trail = await store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, action: 'account.changed', limit: 10, cursor: null });
      expect(trail?.records.map(({ details }) => details['disabledAlerts']).filter((kinds) => kinds !== undefined)).toEqual([[], ['balance.low']]);
    });

    it('sends no mail to an account that is not served or has no verified address', async () => {
      for (const [number, standing] of ([{ status: 'suspended' }, { blocked: true }, { emailVerified: false }] as const).entries()) {
        await changeStanding(store.accounts, STORE_ALICE, { status: 'active', blocked: false, emailVerified: true, ...standing }, BY);
        await driver.credit(`${100 + number}`);
        await driver.serve(number, anEnding(100 + number));
        await tell(number * 61);
      }
      expect(await told()).toEqual([]);
      await changeStanding(store.accounts, STORE_ALICE, { emailVerified: true }, BY);
      await tell(300);
      expect(await told()).toEqual([]);
    });

    it('sends all mails except those that cannot be composed, and retries these after an hour', async () => {
      const failing = Array.from({ length: 5 }, (_none, number) => `acct_a${number}` as AccountId);
      for (const id of failing) await store.accounts.create(anAccount({ id, email: `${id}@example.test`, createdAt: STORE_NOON }), SYSTEM_ACTOR);
      await Promise.all(failing.map((id) => driver.credit('100', id)));
      for (const id of failing) {
        await store.alerts.choose(id, tokens('90'), BY);
        await driver.serve(100 + Number(id.at(-1)), anEnding(15), { accountId: id });
      }
      await driver.serve(1, anEnding(15));
      await store.events.position();
      const stepAt = async (minutes: number, isFailing: (alert: Alert) => boolean) => {
        const at = later(STORE_NOON, minutes * MINUTE);
        const failures: unknown[] = [];
        for (let outcome = 'more'; outcome === 'more';) {
          const step = await store.alertRecords.storeMails((alert) => {
            if (isFailing(alert)) throw new RangeError(`one row of ${alert.accountId} is unreadable`);
            return mailOf(alert, at);
          }, at);
          failures.push(...step.failures);
          ({ outcome } = step);
        }
        return failures;
      };
      const failures = await stepAt(0, ({ accountId }) => failing.includes(accountId));
      expect([failures.map(String), await told()]).toEqual([failing.map((id) => `Error: the mail about balance.low to ${id} could not be made`), ['alice@example.test balance.low 90']]);
      expect([await stepAt(59, () => false), (await told()).length]).toEqual([[], 1]);
      expect([await stepAt(60, () => false), (await told()).length]).toEqual([[], 6]);
    });

    it('keeps an alert while the outbox is full', async () => {
      await driver.serve(1, anEnding(15));
      await store.events.position();
      const full = (alert: Alert): StoredMail => ({ ...mailOf(alert, STORE_NOON), rank: 'unverified', to: 'fill@example.test' });
      await fillOutbox(store.mail);
      expect(await store.alertRecords.storeMails(full, STORE_NOON)).toEqual({ mails: 0, outcome: 'full', failures: [] });
      await tell();
      expect((await told()).filter((subject) => subject.startsWith('alice@'))).toEqual(['alice@example.test balance.low 90']);
    });

    it('sends each mail once if several runs store mails concurrently', async () => {
      await driver.credit('100.5', STORE_BOB);
      await store.alerts.choose(STORE_BOB, tokens('90'), BY);
      await driver.serve(1, anEnding(15));
      await driver.serve(2, anEnding(15), { accountId: STORE_BOB });
      await Promise.all(Array.from({ length: 8 }, () => tell()));
      expect((await told()).toSorted()).toEqual(['alice@example.test balance.low 90', 'bob@example.test balance.low 90']);
    });

    it('sends mail about an event that follows 210 others in the feed', async () => {
      for (let number = 0; number < 210; number += 1) await driver.credit(`0.${number + 1000}`);
      await driver.serve(1, anEnding(40));
      await tell();
      expect(await told()).toEqual(['alice@example.test balance.low 90']);
    });

    it('removes the alert settings of a deleted account, and accepts no new ones', async () => {
      await driver.serve(1, anEnding(15));
      await tell();
      await store.alertRecords.disable(STORE_ALICE, ['balance.exhausted'], BY);
      await store.keys.createPlaygroundKey({ id: 'key_play' as ApiKeyId, accountId: STORE_ALICE, createdAt: STORE_NOON }, SYSTEM_ACTOR);
      await deleteAccount(store, STORE_ALICE);
      await tell(61);
      expect(await store.alertRecords.disabledKinds(STORE_ALICE)).toEqual([]);
      expect(await store.alertRecords.disable(STORE_ALICE, ['balance.low'], BY)).toBe(false);
      expect((await readAll(store.events, { accountId: STORE_ALICE })).length).toBeGreaterThan(0);
    });
  });
}

/** Stores as many messages to unverified addresses of one domain as the outbox accepts. */
async function fillOutbox(outbox: MailOutbox): Promise<void> {
  for (let number = 0; number < 250; number += 1) {
    await outbox.store({
      id: `mail_fill_${number}` as MailId, reference: `fill ${number}`, kind: 'test', to: 'fill@example.test', accountId: null, rank: 'unverified', subject: 'fill', text: 't', html: 'h',
      storedAt: STORE_NOON, expiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR),
    });
  }
}
