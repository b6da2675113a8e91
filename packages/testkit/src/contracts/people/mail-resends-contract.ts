import { type Account, type AccountId, type AuditedBy, later, PAY_AS_YOU_GO, SYSTEM_ACTOR } from '@tollgate/core';
import { type ListedMail, MAIL_BOUND, MAIL_RANKS, type MailId, type MailName, MailResends, PersonLinks, type SignUpPolicy, type StoredMail } from '@tollgate/identity';
import { anAccount } from '../../builders/builders.js';
import { aStoredMail } from '../mail-outbox-contract.js';
import { STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { ALICE_EMAIL, type MakePeople, PeopleDriver } from './people-subject.js';

const BY: AuditedBy = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const TOKEN = /#token=([A-Za-z0-9_-]+)/;

export function mailResendsContract(name: string, make: MakePeople): void {
  describe(`MailResends contract: ${name}`, () => {
    let driver: PeopleDriver;
    let wakes: number;
    beforeEach(async () => {
      driver = new PeopleDriver(await make());
      wakes = 0;
    });
    afterEach(async () => {
      expect((await driver.store.auditTrail.verifyAuditTrail()).fault).toBeNull();
      await driver.subject.close?.();
    });

    function resends(signUp: SignUpPolicy = 'open', at = STORE_NOON, { people: records, mail: outbox } = driver.store): MailResends {
      const { subject: { tokens, ids } } = driver;
      return new MailResends({
        records, links: new PersonLinks({ records, tokens, signUp }), outbox, ids, clock: { now: () => at, schedule: () => () => undefined }, site: () => ({ baseUrl: 'https://api.example.test', product: 'Tollgate' }),
        onStored: () => { wakes += 1; },
      });
    }

    async function claimed(): Promise<readonly StoredMail[]> {
      const mails = await driver.store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1000), most: 100, ranks: MAIL_RANKS });
      for (const { id, attempt } of mails) await driver.store.mail.finish({ id, attempt }, { state: 'delivered' }, STORE_NOON);
      return mails;
    }

    /** Stores a message and marks it as delivered. */
    async function delivered(kind: MailName, differences: Partial<StoredMail> = {}): Promise<MailId> {
      const mail = aStoredMail(1, { kind, to: ALICE_EMAIL, storedAt: later(STORE_NOON, -1000), ...differences });
      await driver.store.mail.store(mail);
      await claimed();
      return mail.id;
    }

    async function newest(): Promise<ListedMail | undefined> {
      return (await driver.store.mail.list({ limit: 1, after: null }))[0];
    }

    it('stores and audits a message of the same kind with a new link, which replaces the former link', async () => {
      const { id: person, accountId } = await driver.start();
      const former = await driver.token(person, 'reset-password');
      const of = await delivered('reset-password', { accountId });
      expect(await resends().resend(of, BY)).toEqual({ outcome: 'sent', to: ALICE_EMAIL });
      expect([wakes, await newest()]).toMatchObject([1, { kind: 'reset-password', accountId, to: ALICE_EMAIL, state: 'waiting' }]);
      const [mail] = await claimed();
      const token = TOKEN.exec(mail?.text ?? '')?.[1] ?? '';
      expect(await driver.directory.isTokenLive(token, 'reset-password', STORE_NOON)).toBe(true);
      expect(await driver.directory.isTokenLive(former, 'reset-password', STORE_NOON)).toBe(false);
      const trail = await driver.store.auditTrail.list({ accountId, actorKind: null, actorId: null, action: 'person.mailed-again', from: null, to: null, limit: 9, cursor: null });
      expect(trail?.records.map(({ subject, details }) => [subject, details])).toEqual([[person, { kind: 'reset-password', mail: mail?.id, of }]]);
    });

    it('sends a link to a person who has not verified the address, even if an account had the address before', async () => {
      const existing: Account = anAccount({ id: STORE_ALICE, email: 'Alice@example.test', emailVerified: false });
      await driver.store.accounts.create(existing, SYSTEM_ACTOR);
      await driver.signUp();
      const of = await delivered('verify-address');
      expect((await resends().resend(of, BY)).outcome).toBe('sent');
      const listed = await driver.store.mail.list({ limit: 9, after: null, filter: { accountId: STORE_ALICE, state: null, kind: null, to: null } });
      expect(listed.map(({ kind, state }) => [kind, state])).toEqual([['verify-address', 'waiting'], ['verify-address', 'delivered']]);
    });

    it('sends at most five messages of a kind to an address per hour, and the link of the last one works', async () => {
      const { id: person } = await driver.start();
      const of = await delivered('reset-password');
      for (let number = 1; number < MAIL_BOUND.most; number += 1) expect((await resends().resend(of, BY)).outcome).toBe('sent');
      const last = await driver.token(person, 'reset-password');
      expect(await resends().resend(of, BY)).toEqual({ outcome: 'too-many' });
      expect(await driver.directory.isTokenLive(last, 'reset-password', STORE_NOON)).toBe(true);
      const after = later(STORE_NOON, MAIL_BOUND.windowMilliseconds);
      expect((await resends('open', after).resend(of, { ...BY, at: after })).outcome).toBe('sent');
    });

    it('sends at most five messages when several operators resend concurrently, and the link of the last one works', async () => {
      await driver.start();
      const of = await delivered('reset-password');
      for (let number = 2; number < MAIL_BOUND.most; number += 1) {
        expect((await resends().resend(of, BY)).outcome).toBe('sent');
        await claimed();
      }
      const { store, subject: { other } } = driver;
      const outcomes = await Promise.all([store, other, store, other].map((at) => resends('open', STORE_NOON, at).resend(of, BY)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['sent', 'too-many', 'too-many', 'too-many']);
      const mails = await claimed();
      expect(mails.length).toBe(1);
      expect(await driver.directory.isTokenLive(TOKEN.exec(mails[0]?.text ?? '')?.[1] ?? '', 'reset-password', STORE_NOON)).toBe(true);
    });

    it.each<MailName>(['balance-low', 'password-changed', 'change-address', 'test'])('does not resend a message of the kind %s, because its contents are erased', async (kind) => {
      const { accountId } = await driver.start();
      expect(await resends().resend(await delivered(kind, { accountId }), BY)).toEqual({ outcome: 'contents-gone' });
      expect([wakes, (await newest())?.state]).toEqual([0, 'delivered']);
    });

    it('refuses to resend mail that is still being delivered, is not needed, or whose link would not work', async () => {
      await driver.store.accounts.create(anAccount({ id: 'acct_bob' as AccountId, email: 'bob@example.test', planId: PAY_AS_YOU_GO }), SYSTEM_ACTOR);
      await driver.start();
      expect(await resends().resend('mail_9' as MailId, BY)).toEqual({ outcome: 'no-such-mail' });
      expect(await resends().resend(await delivered('invitation'), BY)).toEqual({ outcome: 'not-needed' });
      expect(await resends().resend(await delivered('reset-password', { id: 'mail_2' as MailId, reference: '2', to: 'former@example.test' }), BY)).toEqual({ outcome: 'no-recipient' });
      await driver.store.mail.store(aStoredMail(3, { kind: 'reset-password', to: ALICE_EMAIL }));
      expect(await resends().resend('mail_3' as MailId, BY)).toEqual({ outcome: 'waiting' });
      await driver.signUp('carol@example.test');
      expect(await resends('closed').resend(await delivered('verify-address', { id: 'mail_4' as MailId, reference: '4', to: 'carol@example.test' }), BY)).toEqual({ outcome: 'not-admitted' });
      expect(wakes).toBe(0);
    });
  });
}
