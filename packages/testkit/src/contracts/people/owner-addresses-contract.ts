import { type AccountId, type AuditedBy, later, NO_AUDIT_FILTERS, SYSTEM_ACTOR } from '@tollgate/core';
import { MAIL_RANKS, OwnerAddresses, PersonLinks, type ReplaceAddressOutcome, type StoredMail } from '@tollgate/identity';
import { anAccount } from '../../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { ALICE_EMAIL, ALICE_PASSWORD, type MakePeople, PeopleDriver, type PeopleStore } from './people-subject.js';

const BY: AuditedBy = { actor: { ...SYSTEM_ACTOR, kind: 'operator', id: 'person_op' }, at: STORE_NOON };
const NEW_EMAIL = 'alice@new.example.test';
const AT_ONCE = 6;

export function ownerAddressesContract(name: string, make: MakePeople): void {
  describe(`OwnerAddresses contract: ${name}`, () => {
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

    function addresses(store: PeopleStore = driver.store): OwnerAddresses {
      const { tokens, ids } = driver.subject;
      return new OwnerAddresses({
        accounts: store.accounts, records: store.people, links: new PersonLinks({ records: store.people, tokens, signUp: 'open' }), outbox: store.mail, ids,
        clock: { now: () => STORE_NOON, schedule: () => () => undefined }, site: () => ({ baseUrl: 'https://api.example.test', product: 'Tollgate' }),
        onStored: () => { wakes += 1; },
      });
    }

    async function replace(accountId: AccountId | null, email = NEW_EMAIL, store = driver.store): Promise<ReplaceAddressOutcome['outcome']> {
      return (await addresses(store).replace({ accountId: accountId ?? 'acct_none' as AccountId, email, by: BY })).outcome;
    }

    function mails(): Promise<readonly StoredMail[]> {
      return driver.store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1000), most: 100, ranks: MAIL_RANKS });
    }

    async function trailOf(accountId: AccountId | null) {
      const page = await driver.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId, limit: 50, cursor: null });
      return (page?.records ?? []).filter(({ actor }) => actor.id === BY.actor.id);
    }

    it('changes the address of person and account, keeps the password, and ends sessions and links', async () => {
      const person = await driver.start();
      const [cookie, reset, change] = [await driver.cookie(), await driver.token(person.id, 'reset-password'), await driver.changeOfEmail(person.id, 'third@example.test')];
      expect(await replace(person.accountId, 'Alice@NEW.example.test')).toBe('changed');
      expect((await driver.directory.find(person.id))?.email).toBe(NEW_EMAIL);
      expect(await driver.store.accounts.findByEmail(NEW_EMAIL)).toMatchObject({ id: person.accountId, email: NEW_EMAIL, emailVerified: true });
      expect(await driver.who(cookie)).toBeNull();
      expect(await driver.directory.isTokenLive(reset, 'reset-password', STORE_NOON)).toBe(false);
      expect(await driver.directory.redeem({ purpose: 'change-email', token: change ?? '' }, STORE_NOON)).toBeNull();
      expect((await driver.signIn()).outcome).toBe('refused');
      expect((await driver.signIn(ALICE_PASSWORD, { email: NEW_EMAIL })).outcome).toBe('signed-in');
      expect(await replace(person.accountId, ALICE_EMAIL)).toBe('changed');
    });

    it('stores messages to both addresses with the change; the message to the former address does not name the new one', async () => {
      const { accountId } = await driver.start();
      await mails();
      await replace(accountId);
      const listed = await driver.store.mail.list({ limit: 9, after: null });
      expect(listed.map(({ kind, to, accountId: of }) => [kind, to, of]).toReversed()).toEqual([['address-changed', ALICE_EMAIL, accountId], ['address-changed', NEW_EMAIL, accountId]]);
      const [former] = await mails();
      expect([former?.to, former?.text.includes(NEW_EMAIL), wakes]).toEqual([ALICE_EMAIL, false, 1]);
    });

    it('audits a change once with both addresses, which an erasure of the account removes', async () => {
      const person = await driver.start();
      expect([await replace(person.accountId), await replace(person.accountId)]).toEqual(['changed', 'unchanged']);
      expect((await trailOf(person.accountId)).map(({ action, subject, texts }) => [action, subject, texts])).toEqual([['person.email-changed', person.id, { from: ALICE_EMAIL, to: NEW_EMAIL }]]);
      await driver.deleteAccountOf(person.id);
      expect((await trailOf(person.accountId)).map(({ texts }) => texts)).toEqual([{}]);
      expect(await mails()).toEqual([]);
    });

    it('mails a link to the new address if the owner had not verified the former one', async () => {
      const id = await driver.signUp();
      const former = await driver.token(id, 'verify-email');
      expect(await replace(await driver.accountOf(id))).toBe('changed');
      const [mail, ...rest] = await mails();
      expect([mail?.kind, mail?.to, rest]).toEqual(['verify-address', NEW_EMAIL, []]);
      const token = /#token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      expect(await driver.directory.redeem({ purpose: 'verify-email', token: former, password: ALICE_PASSWORD }, STORE_NOON)).toBeNull();
      expect(await driver.directory.redeem({ purpose: 'verify-email', token, password: ALICE_PASSWORD }, STORE_NOON)).toMatchObject({ email: NEW_EMAIL, emailVerified: true });
    });

    it('changes the address of an account without a person; the person who later verifies the new one gets the account', async () => {
      await driver.store.accounts.create(anAccount({ id: STORE_ALICE, email: ALICE_EMAIL, emailVerified: false }), SYSTEM_ACTOR);
      expect(await replace(STORE_ALICE)).toBe('changed');
      expect((await trailOf(STORE_ALICE)).map(({ action, texts }) => [action, texts])).toEqual([['account.changed', { email: NEW_EMAIL }]]);
      expect(await mails()).toEqual([]);
      expect((await driver.start(NEW_EMAIL)).accountId).toBe(STORE_ALICE);
      expect((await driver.start()).accountId).not.toBe(STORE_ALICE);
    });

    it('refuses a taken or malformed address, an operator, and an unknown or deleted account, and then changes no data', async () => {
      const [alice, bob] = [await driver.start(), await driver.start('bob@example.test')];
      await driver.store.accounts.create(anAccount({ id: STORE_ALICE, email: 'shop@example.test' }), SYSTEM_ACTOR);
      await mails();
      const refused = [await replace(alice.accountId, 'BOB@example.test'), await replace(alice.accountId, 'shop@example.test'), await replace(alice.accountId, 'no address'), await replace(null)];
      expect(refused).toEqual(['email-taken', 'email-taken', 'email-malformed', 'no-such-account']);
      await driver.directory.setRole(bob.id, 'operator', BY);
      expect(await replace(bob.accountId)).toBe('operator');
      await driver.deleteAccountOf(alice.id);
      expect(await replace(alice.accountId)).toBe('changed-meanwhile');
      expect([(await driver.directory.find(bob.id))?.email, await driver.store.accounts.findByEmail(NEW_EMAIL), await mails()]).toEqual(['bob@example.test', null, []]);
    });

    it('changes the address of a suspended account too', async () => {
      const { accountId } = await driver.start();
      await changeStanding(driver.store.accounts, accountId ?? STORE_ALICE, { status: 'suspended' }, BY);
      expect(await replace(accountId)).toBe('changed');
    });

    it('gives an address to one account under concurrent changes', async () => {
      const people = [await driver.start('a@example.test'), await driver.start('b@example.test')];
      const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, (_, number) =>
        replace(people[number % 2]?.accountId ?? null, NEW_EMAIL, number % 3 === 0 ? driver.subject.other : driver.store)));
      const holders = (await Promise.all(people.map(({ id }) => driver.directory.find(id)))).filter((person) => person?.email === NEW_EMAIL);
      expect([outcomes.filter((outcome) => outcome === 'changed').length, holders.length]).toEqual([1, 1]);
      expect(outcomes.every((outcome) => ['changed', 'unchanged', 'email-taken', 'changed-meanwhile'].includes(outcome))).toBe(true);
    });
  });
}
