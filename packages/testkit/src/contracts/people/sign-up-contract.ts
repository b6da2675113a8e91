import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { type AccountId, type AuditedBy, later, PAY_AS_YOU_GO, type PersonId, portionsOf, ServiceTokens, type StandingFacts, SYSTEM_ACTOR } from '@tollgate/core';
import { Operators, type Person, SignupCredits, UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { anAccount, anApiKey } from '../../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { aStoredMail } from '../mail-outbox-contract.js';
import { ALICE_EMAIL, ALICE_PASSWORD, aPassword, type MakePeople, PeopleDriver, type PeopleSubject } from './people-subject.js';
import { IssuerDriver } from './issuer-sign-in-contract.js';

const MANY = 100;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOON: AuditedBy = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const LAST: AuditedBy = { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS - 1) };
const DUE: AuditedBy = { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS) };

/** Tests the removal of people who never verify their address. */
export function unverifiedPeopleContract(name: string, make: MakePeople): void {
  describe(`PersonRecords contract, of people who never verify: ${name}`, () => {
    let driver: PeopleDriver;
    beforeEach(async () => {
      driver = new PeopleDriver(await make());
    });
    afterEach(async () => {
      expect((await driver.store.auditTrail.verifyAuditTrail()).fault).toBeNull();
      await driver.subject.close?.();
    });

    async function signUp(): Promise<{ readonly id: PersonId; readonly accountId: AccountId }> {
      const id = await driver.signUp();
      const accountId = await driver.accountOf(id);
      if (accountId === null) throw new Error('the sign-up created no account');
      return { id, accountId };
    }

    async function statusOf(id: AccountId): Promise<string | undefined> {
      return (await driver.store.accounts.findById(id))?.status;
    }

    it('removes unverified people at the deadline, with all their data, and frees the address', async () => {
      const { directory, store } = driver;
      const { id, accountId } = await signUp();
      const token = await driver.token(id, 'verify-email', DUE.at);
      await store.mail.store(aStoredMail(1, { to: ALICE_EMAIL }));
      expect(await store.people.discardUnverified(MANY, LAST)).toBe(0);
      expect(await directory.find(id)).not.toBeNull();
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await directory.find(id)).toBeNull();
      expect(await directory.isTokenLive(token, 'verify-email', STORE_NOON)).toBe(false);
      expect(await store.mail.list({ limit: MANY, after: null })).toEqual([]);
      expect(await store.accounts.findById(accountId)).toMatchObject({ status: 'deleted', name: '', email: `erased:${accountId}` });
      expect(await store.accounts.findByEmail(ALICE_EMAIL)).toBeNull();
      expect((await driver.start()).accountId).not.toBe(accountId);
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(0);
    });

    it('keeps verified people, however long ago they signed up', async () => {
      const { id } = await driver.start();
      expect(await driver.store.people.discardUnverified(MANY, { ...DUE, at: later(DUE.at, UNVERIFIED_KEPT_MILLISECONDS) })).toBe(0);
      expect(await driver.directory.find(id)).not.toBeNull();
    });

    it('removes a limited number of people at a time, each person once, even from several gateways', async () => {
      for (let number = 0; number < 5; number += 1) await driver.signUp(`person${number}@example.test`);
      expect(await driver.store.people.discardUnverified(2, DUE)).toBe(2);
      const rest = await Promise.all([driver, driver.other()].map(({ store }) => store.people.discardUnverified(MANY, DUE)));
      expect(rest.reduce((sum, number) => sum + number, 0)).toBe(3);
    });

    it('keeps an account that operators created with the address', async () => {
      const { store } = driver;
      await store.accounts.create(anAccount({ id: STORE_ALICE, email: ALICE_EMAIL, emailVerified: false }), SYSTEM_ACTOR);
      await driver.signUp();
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await statusOf(STORE_ALICE)).toBe('active');
      expect((await driver.start()).accountId).toBe(STORE_ALICE);
    });

    it('keeps an account with bookings, even if its balance is zero, for the next person who verifies the address', async () => {
      const { store } = driver;
      const { accountId } = await signUp();
      const one = { accountId, amount: ServiceTokens.parse('1'), reason: null, ...NOON };
      await store.ledger.book({ ...one, kind: 'top-up', reference: 'up' });
      await store.ledger.book({ ...one, kind: 'correction', direction: 'lower', reference: 'down' });
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await statusOf(accountId)).toBe('active');
      expect((await driver.start()).accountId).toBe(accountId);
    });

    it('keeps an account with a key', async () => {
      const { store } = driver;
      const { accountId } = await signUp();
      await store.keys.create({ key: anApiKey({ accountId }), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      await store.people.discardUnverified(MANY, DUE);
      expect(await statusOf(accountId)).toBe('active');
    });

    it.each<Partial<StandingFacts>>([{ blocked: true }, { status: 'suspended' }, { emailVerified: true }])('keeps an account that operators set to %j', async (standing) => {
      const { store } = driver;
      const { accountId } = await signUp();
      await changeStanding(store.accounts, accountId, standing, NOON);
      await store.people.discardUnverified(MANY, DUE);
      expect(await statusOf(accountId)).toBe(standing.status ?? 'active');
    });

    it('measures the deadline of invited people from the last invitation', async () => {
      const again = later(STORE_NOON, 1);
      const id = await driver.signUp();
      await driver.directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: again });
      expect(await driver.store.people.discardUnverified(MANY, DUE)).toBe(0);
      expect(await driver.store.people.discardUnverified(MANY, { ...DUE, at: later(again, UNVERIFIED_KEPT_MILLISECONDS) })).toBe(1);
      expect(await driver.directory.find(id)).toBeNull();
    });

    it('also removes a person when the owner of the address answers "not me"', async () => {
      const { id, accountId } = await signUp();
      expect(await driver.directory.disown(await driver.token(id, 'verify-email'), STORE_NOON)).toBe(true);
      expect(await statusOf(accountId)).toBe('deleted');
    });
  });
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const AT_ONCE = 50;
/** Maximum number of passwords that are checked concurrently for a network. Further ones wait for a short time. */
const PASSWORDS_AT_ONCE = 4;
const CREDIT = ServiceTokens.parse('12.5');

export function signupCreditContract(name: string, make: MakePeople): void {
  describe(`Sign-up credit contract: ${name}`, () => {
    let subject: PeopleSubject;
    const start = async (): Promise<PeopleDriver> => {
      subject = await make();
      return new PeopleDriver(subject, { signupCredits: new SignupCredits(CREDIT, subject.addressHashes.before) });
    };
    /** The posted balance of the person's account. */
    const balanceOf = async (person: Person | null): Promise<string | undefined> => {
      if (person?.accountId === undefined || person.accountId === null) throw new Error('the person has no account');
      return (await subject.store.ledger.balanceOf(person.accountId))?.posted.toString();
    };
    const personOf = (driver: PeopleDriver, email = ALICE_EMAIL): Promise<Person | null> => driver.directory.findByEmail(email);
    const verify = async (driver: PeopleDriver): Promise<Person | null> =>
      driver.directory.redeem({ purpose: 'verify-email', token: await driver.token(await driver.signUp(), 'verify-email'), password: ALICE_PASSWORD }, STORE_NOON);
    afterEach(() => subject.close?.());

    it('is booked when the address is verified, not before, and as a sign-up credit in ledger and audit log', async () => {
      const driver = await start();
      const heard: string[] = [];
      subject.store.bookings.add({ booked: ({ kind, accountId: of, amount, balance }) => void heard.push(`${kind} of ${of}: ${amount.toString()} to ${balance.posted.toString()}`) }, () => undefined);
      await driver.signUp();
      expect(await balanceOf(await personOf(driver))).toBe('0');
      const person = await verify(driver);
      expect(heard).toEqual([`signup-credit of ${person?.accountId ?? ''}: 12.5 to 12.5`]);
      expect(await balanceOf(person)).toBe('12.5');
      const accountId = person?.accountId ?? '' as AccountId;
      const trail = await subject.store.auditTrail.list({ accountId, actorKind: null, actorId: null, action: 'account.signup-credit', from: null, to: null, limit: 10, cursor: null });
      expect(trail?.records.map(({ subject: of, actor }) => [of, actor.kind])).toEqual([[accountId, 'system']]);
      const again = { kind: 'signup-credit', accountId, amount: CREDIT, reference: `sign-up of ${accountId}`, reason: null, ...BY } as const;
      expect(await subject.store.ledger.book(again)).toMatchObject({ outcome: 'repeated' });
    });

    it('is booked once under concurrent verifications on several gateways', async () => {
      const driver = await start();
      const other = driver.other();
      const id = await driver.signUp();
      const token = await driver.token(id, 'verify-email');
      const reset = await driver.token(id, 'reset-password');
      await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => (number % 2 === 0 ? driver : other).directory.redeem({
        address: `203.0.113.${number}`,
        ...number % 5 === 0 ? { purpose: 'reset-password', token: reset, password: aPassword(ALICE_PASSWORD) } as const : { purpose: 'verify-email', token, password: ALICE_PASSWORD } as const,
      }, STORE_NOON)));
      const person = await personOf(driver);
      expect([person?.emailVerified, await balanceOf(person)]).toEqual([true, '12.5']);
    });

    it.each(['reset-password', 'invitation'] as const)('is booked when a link for %s verifies the address', async (purpose) => {
      const driver = await start();
      const id = await driver.signUp();
      await driver.directory.redeem({ purpose, token: await driver.token(id, purpose), password: aPassword(ALICE_PASSWORD) }, STORE_NOON);
      expect(await balanceOf(await personOf(driver))).toBe('12.5');
      await driver.directory.redeem({ purpose: 'reset-password', token: await driver.token(id, 'reset-password'), password: aPassword(ALICE_PASSWORD) }, STORE_NOON);
      expect(await balanceOf(await personOf(driver))).toBe('12.5');
    });

    it('is booked when an issuer verifies the address of a new person or of one who signed up', async () => {
      const driver = await start();
      const issuer = new IssuerDriver(subject, { signupCredits: new SignupCredits(CREDIT, subject.addressHashes.before) });
      await driver.signUp();
      await issuer.admit();
      await issuer.admit({ email: 'bob@example.test', subject: 'subject-bob' });
      await issuer.admit();
      expect([await balanceOf(await personOf(driver)), await balanceOf(await personOf(driver, 'bob@example.test'))]).toEqual(['12.5', '12.5']);
    });

    it('is booked once per address, even after the erasure of the person', async () => {
      const driver = await start();
      const first = await verify(driver);
      await driver.deleteAccountOf(first?.id ?? '' as Person['id']);
      const id = await driver.signUp('ALICE@Example.test');
      const again = await driver.directory.redeem({ purpose: 'verify-email', token: await driver.token(id, 'verify-email'), password: ALICE_PASSWORD }, STORE_NOON);
      expect(again?.accountId).not.toBe(first?.accountId);
      expect(await balanceOf(again)).toBe('0');
      expect(await balanceOf(await driver.start('alice2@example.test'))).toBe('12.5');
    });

    it('is booked once per mailbox: not again for addresses with other tags, dots or domains that lead to it', async () => {
      const driver = await start();
      const balances: (string | undefined)[] = [];
      for (const email of ['a.da@gmail.com', 'ada+1@gmail.com', 'ada@googlemail.com', 'bob+1@example.test', 'bob@example.test', 'b.ob@example.test']) balances.push(await balanceOf(await driver.start(email)));
      expect(balances).toEqual(['12.5', '0', '0', '12.5', '0', '12.5']);
    });

    it('is not booked again for an address that got it before addresses were reduced to mailboxes', async () => {
      const driver = await start();
      const { before } = subject.addressHashes;
      const earlier = new SignupCredits(CREDIT, before);
      earlier.for = (email) => ({ amount: CREDIT, expiresAfterDays: null, addressHashes: before.of(email), networks: [] });
      await driver.with({ signupCredits: earlier }).deleteAccountOf((await driver.with({ signupCredits: earlier }).start('a.da@gmail.com')).id);
      await driver.with({ signupCredits: earlier }).start('bob@example.test');
      expect(await balanceOf(await driver.start('a.da@gmail.com'))).toBe('0');
      expect(await balanceOf(await driver.start('bob+2@example.test'))).toBe('0');
    });

    it('is booked at most 20 times per day and network, 40 per /56 and 80 per /48, also under concurrent verifications', async () => {
      const driver = await start();
      const other = driver.other();
      const credited = async (prefix: string, addresses: readonly string[], at = STORE_NOON): Promise<number> => {
        const people = [];
        for (const [index, address] of addresses.entries()) {
          const email = `${prefix}${index}@example.test`;
          const id = await driver.signUp(email);
          people.push({ email, address, token: await driver.token(id, 'verify-email', later(at, MINUTE)) });
        }
        for (const some of portionsOf(people, PASSWORDS_AT_ONCE)) {
          await Promise.all(some.map(({ token, address }, index) =>
            (index % 2 === 0 ? driver : other).directory.redeem({ purpose: 'verify-email', token, password: ALICE_PASSWORD, address }, at)));
        }
        const balances = await Promise.all(people.map(async ({ email }) => balanceOf(await personOf(driver, email))));
        return balances.filter((balance) => balance === '12.5').length;
      };
      const times = (count: number, address: (index: number) => string) => Array.from({ length: count }, (_, index) => address(index));
      expect(await credited('a', times(23, () => '203.0.113.7'))).toBe(20);
      expect(await credited('b', times(2, () => '203.0.113.8'))).toBe(2);
      expect(await credited('c', times(23, (index) => `2001:db8:1:100::${index}`))).toBe(20);
      expect(await credited('d', times(23, (index) => `2001:db8:1:${(0x101 + index).toString(16)}::1`))).toBe(20);
      expect(await credited('e', times(2, () => '203.0.113.7'), later(STORE_NOON, DAY))).toBe(2);
    });

    it('is not booked again for an address recorded before a rotation of the secret, which is then recorded under the new one', async () => {
      const driver = await start();
      const { during, after } = subject.addressHashes;
      for (const next of [during, after]) {
        const { id } = await driver.with({ signupCredits: new SignupCredits(CREDIT, next === during ? subject.addressHashes.before : during) }).start();
        await driver.deleteAccountOf(id);
        expect(await balanceOf(await driver.with({ signupCredits: new SignupCredits(CREDIT, next) }).start())).toBe('0');
        await driver.deleteAccountOf((await personOf(driver))?.id ?? id);
      }
      expect(await balanceOf(await driver.with({ signupCredits: new SignupCredits(CREDIT, during) }).start('bob@example.test'))).toBe('12.5');
    });

    it('is not booked for operators, nor for accounts whose address an operator has verified', async () => {
      const driver = await start();
      const { people } = subject.store;
      const operator = await new Operators({ records: people, tokens: subject.tokens, ids: subject.ids }).appoint({ email: ALICE_EMAIL, name: 'Alice', planId: PAY_AS_YOU_GO, by: BY });
      await driver.directory.redeem({ purpose: 'reset-password', token: await driver.token(operator.id, 'reset-password'), password: aPassword(ALICE_PASSWORD) }, STORE_NOON);
      await subject.store.accounts.create(anAccount({ id: 'acct_made' as AccountId, email: 'bob@example.test', emailVerified: true }), SYSTEM_ACTOR);
      const bob = await driver.start('bob@example.test');
      expect([bob.accountId, await balanceOf(bob), await balanceOf(await personOf(driver))]).toEqual(['acct_made', '0', '0']);
      const carol = await driver.signUp('carol@example.test');
      await people.setRole(carol, 'operator', BY);
      await driver.directory.redeem({ purpose: 'verify-email', token: await driver.token(carol, 'verify-email'), password: ALICE_PASSWORD }, STORE_NOON);
      expect(await balanceOf(await personOf(driver, 'carol@example.test'))).toBe('0');
    });

    it('is not booked if the setting is absent', async () => {
      await start();
      expect(await balanceOf(await new PeopleDriver(subject).start())).toBe('0');
    });
  });
}
