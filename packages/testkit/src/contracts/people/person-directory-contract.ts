import { afterEach, describe, expect, it } from '../test-runner.js';
import { later, type PersonId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount } from '../../builders/builders.js';
import { ALICE_EMAIL, ALICE_PASSWORD, aPassword, type MakePeople, NEXT_PASSWORD, PeopleDriver, type StartPeople } from './people-subject.js';
import { STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { singleUseTokensContract } from './single-use-tokens-contract.js';
import { aStoredMail } from '../mail-outbox-contract.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const SECOND = 1_000;
const SEVERAL = 6;
const NOBODY = 'person_nobody' as PersonId;

export function personDirectoryContract(name: string, make: MakePeople): void {
  describe(`PersonDirectory contract: ${name}`, () => {
    let driver: PeopleDriver;
    const start: StartPeople = async (differences = {}) => {
      driver = new PeopleDriver(await make(), differences);
      return driver;
    };
    afterEach(() => driver.subject.close?.());

    describe('sign-up', () => {
      it('creates a person with an account, both unverified', async () => {
        const { directory, store } = await start();
        const id = await driver.signUp('Alice@Example.TEST');
        const person = await directory.findByEmail('aLICE@example.test');
        expect(person).toMatchObject({ id, email: ALICE_EMAIL, emailVerified: false, name: 'Alice', role: 'owner', factors: [] });
        expect(await directory.find(id)).toEqual(person);
        expect(await store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ id: person?.accountId, emailVerified: false, status: 'active' });
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 2, fault: null });
      });

      it('stores the language of the page, and later the language that the person chooses', async () => {
        const { directory } = await start();
        const id = await driver.signUp();
        expect((await directory.find(id))?.language).toBeNull();
        await directory.setLanguage(id, 'de');
        expect((await directory.find(id))?.language).toBe('de');
        await directory.register({ email: 'bob@example.test', name: 'Bob', password: aPassword(ALICE_PASSWORD), language: 'de', at: STORE_NOON });
        expect((await directory.findByEmail('bob@example.test'))?.language).toBe('de');
      });

      it('creates one person per address under concurrent sign-ups on several gateways', async () => {
        await start();
        const other = driver.other();
        const outcomes = await Promise.all(Array.from({ length: SEVERAL }, (_, number) => (number % 2 === 0 ? driver : other).directory.register({
          email: number % 3 === 0 ? ALICE_EMAIL.toUpperCase() : ALICE_EMAIL, name: `Alice ${number}`, password: aPassword(ALICE_PASSWORD), at: STORE_NOON,
        })));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['created', ...Array.from({ length: SEVERAL - 1 }, () => 'existing')]);
        expect(new Set(outcomes.map((outcome) => 'id' in outcome && outcome.id)).size).toBe(1);
        expect((await driver.store.accounts.list({ limit: 10, after: null })).accounts).toHaveLength(1);
      });

      it.each([
        ['open', 'created', 'created'], ['invitation', 'closed', 'created'], ['closed', 'closed', 'closed'],
      ] as const)('with the policy %j has the outcome %s for strangers and %s for invited people', async (signUp, stranger, invited) => {
        const { directory } = await start({ signUp });
        const command = { email: ALICE_EMAIL, name: 'Alice', at: STORE_NOON };
        expect((await directory.register({ ...command, password: aPassword(ALICE_PASSWORD) })).outcome).toBe(stranger);
        expect((await directory.invite({ ...command, email: 'bob@example.test', by: SYSTEM_ACTOR })).outcome).toBe(invited);
      });

      it.each([
        ['no address', 'alice', 'Alice', 'email-malformed'], ['an address that is not ASCII', 'ali\u212ae@example.test', 'Alice', 'email-malformed'], ['no name', ALICE_EMAIL, ' ', 'name-malformed'],
        ['a name of 201 characters', ALICE_EMAIL, 'x'.repeat(201), 'name-malformed'], ['a line break in the name', ALICE_EMAIL, 'Ali\nce', 'name-malformed'],
      ])('refuses %s', async (_what, email, personName, outcome) => {
        const { directory } = await start();
        expect(await directory.register({ email, name: personName, password: aPassword(ALICE_PASSWORD), at: STORE_NOON })).toEqual({ outcome });
      });

      it('succeeds while the ledger books credits concurrently', async () => {
        const { store } = await start();
        await store.accounts.create(anAccount({ id: STORE_ALICE, email: 'ledger@example.test' }), SYSTEM_ACTOR);
        const credits = Array.from({ length: 20 }, (_, number) => store.ledger.credit({
          accountId: STORE_ALICE, amount: ServiceTokens.parse('1'), reference: `invoice ${number}`, ...BY,
        }));
        const signUps = Array.from({ length: 10 }, (_, number) => driver.signUp(`person${number}@example.test`, ALICE_PASSWORD, `203.0.113.${number}`));
        expect(new Set(await Promise.all(signUps)).size).toBe(10);
        expect((await Promise.all(credits)).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'credited'));
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 1 + 20 + 20, fault: null });
      });
    });

    describe('verification', () => {
      it('verifies person and account when the password is that of the sign-up', async () => {
        const { store } = await start();
        const person = await driver.start();
        expect(person).toMatchObject({ emailVerified: true });
        expect(await store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ id: person.accountId, emailVerified: true });
      });

      it('refuses another password, and keeps the token valid', async () => {
        const { directory } = await start();
        const token = await driver.token(await driver.signUp(), 'verify-email');
        expect(await directory.redeem({ purpose: 'verify-email', token, password: NEXT_PASSWORD }, STORE_NOON)).toBeNull();
        expect(await directory.redeem({ purpose: 'verify-email', token, password: 'short' }, STORE_NOON)).toBeNull();
        expect(await directory.findByEmail(ALICE_EMAIL)).toMatchObject({ emailVerified: false });
        expect(await directory.redeem({ purpose: 'verify-email', token, password: ALICE_PASSWORD }, STORE_NOON)).toMatchObject({ emailVerified: true });
      });

      it('assigns an account made by operators to the person who verifies the address, never to a stranger', async () => {
        const { directory, store } = await start();
        await store.accounts.create(anAccount({ id: STORE_ALICE, email: 'Alice@example.test', emailVerified: false }), SYSTEM_ACTOR);
        const id = await driver.signUp();
        expect(await driver.accountOf(id)).toBeNull();
        const token = await driver.token(id, 'verify-email');
        // The owner of the address reads the mail, but does not know the stranger's password.
        expect(await directory.redeem({ purpose: 'verify-email', token, password: NEXT_PASSWORD }, STORE_NOON)).toBeNull();
        expect(await driver.accountOf(id)).toBeNull();
        expect((await driver.signIn()).outcome).toBe('not-verified');
        expect(await directory.disown(token, STORE_NOON)).toBe(true);
        expect(await directory.find(id)).toBeNull();
        const owner = await driver.start();
        expect(owner).toMatchObject({ accountId: STORE_ALICE, emailVerified: true });
        expect(await store.accounts.findById(STORE_ALICE)).toMatchObject({ emailVerified: true });
      });

      it('lets the owner of the mailbox take over a stranger’s sign-up by a reset, and keeps no data of the stranger', async () => {
        const { directory, store } = await start();
        await store.accounts.create(anAccount({ id: STORE_ALICE }), SYSTEM_ACTOR);
        const id = await driver.signUp(ALICE_EMAIL, 'password of a stranger');
        const verification = await driver.token(id, 'verify-email');
        const token = await driver.token(id, 'reset-password');
        expect(await directory.redeem({ purpose: 'reset-password', token, password: aPassword(ALICE_PASSWORD) }, STORE_NOON))
          .toMatchObject({ accountId: STORE_ALICE, emailVerified: true, name: 'alice' });
        expect((await store.accounts.findById(STORE_ALICE))?.name).toBe(anAccount().name);
        expect(await directory.redeem({ purpose: 'verify-email', token: verification, password: 'password of a stranger' }, STORE_NOON)).toBeNull();
        expect((await driver.signIn('password of a stranger')).outcome).toBe('refused');
        expect((await driver.signIn()).outcome).toBe('signed-in');
      });

      it('keeps a verified person even if the recipient of the mail answers "not me"', async () => {
        const { directory } = await start();
        const { id } = await driver.start();
        expect(await directory.disown(await driver.token(id, 'verify-email'), STORE_NOON)).toBe(false);
        expect(await directory.find(id)).not.toBeNull();
      });
    });

    describe('a stricter sign-up policy', () => {
      it.each(['invitation', 'closed'] as const)('(%s) refuses people who signed up earlier but did not verify', async (signUp) => {
        await start();
        const id = await driver.signUp();
        const [verify, reset] = [await driver.token(id, 'verify-email'), await driver.token(id, 'reset-password')];
        const { directory } = driver.with({ signUp });
        const attempts = [{ purpose: 'verify-email', token: verify, password: ALICE_PASSWORD }, { purpose: 'reset-password', token: reset, password: aPassword(NEXT_PASSWORD) }] as const;
        for (const attempt of attempts) await expect(directory.redeem(attempt, STORE_NOON)).rejects.toMatchObject({ code: 'sign_up_closed' });
        expect(await directory.issueToken({ personId: id, purpose: 'verify-email', expiresAt: later(STORE_NOON, SECOND), at: STORE_NOON })).toBeNull();
        expect(await driver.directory.redeem(attempts[0], STORE_NOON)).toMatchObject({ emailVerified: true });
      });

      it.each(['invitation', 'closed'] as const)('(%s) accepts verified people', async (signUp) => {
        await start();
        const { id } = await driver.start();
        const { directory } = driver.with({ signUp });
        const token = await driver.with({ signUp }).token(id, 'reset-password');
        expect(await directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)).toMatchObject({ id });
      });
    });

    it('turns an unverified sign-up into an invitation, and keeps no data of the sign-up', async () => {
      await start();
      const id = await driver.signUp(ALICE_EMAIL, 'password of a stranger');
      const before = await driver.token(id, 'verify-email');
      const { directory } = driver.with({ signUp: 'invitation' });
      expect(await directory.invite({ email: ALICE_EMAIL, name: 'Alice Liddell', by: SYSTEM_ACTOR, at: STORE_NOON })).toEqual({ outcome: 'existing', id });
      expect(await directory.redeem({ purpose: 'verify-email', token: before, password: 'password of a stranger' }, STORE_NOON)).toBeNull();
      expect([await directory.hasPassword(id), (await directory.find(id))?.name]).toEqual([false, 'Alice Liddell']);
      expect((await driver.store.accounts.findByEmail(ALICE_EMAIL))?.name).toBe('Alice Liddell');
      const token = await driver.token(id, 'invitation');
      expect(await directory.redeem({ purpose: 'invitation', token, password: aPassword(ALICE_PASSWORD) }, STORE_NOON)).toMatchObject({ emailVerified: true });
      expect(await directory.invite({ email: ALICE_EMAIL, name: 'Someone Else', by: SYSTEM_ACTOR, at: STORE_NOON })).toEqual({ outcome: 'existing', id });
      expect([await directory.hasPassword(id), (await directory.find(id))?.name]).toEqual([true, 'Alice Liddell']);
    });

    it('replaces the name with a part of the address only if a password reset completes a sign-up', async () => {
      const { directory, store } = await start();
      const nameAfterReset = async (id: PersonId): Promise<readonly (string | undefined)[]> => {
        const person = await directory.redeem({ purpose: 'reset-password', token: await driver.token(id, 'reset-password'), password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
        return [person?.name, (await store.accounts.findByEmail(person?.email ?? ''))?.name];
      };
      expect(await nameAfterReset(await driver.signUp())).toEqual(['alice', 'alice']);
      expect(await nameAfterReset((await driver.start('bob@example.test')).id)).toEqual(['Alice', 'Alice']);
      await directory.invite({ email: 'carol@example.test', name: 'Carol', by: SYSTEM_ACTOR, at: STORE_NOON });
      expect(await nameAfterReset((await directory.findByEmail('carol@example.test'))?.id ?? NOBODY)).toEqual(['Carol', 'Carol']);
    });

    describe('names', () => {
      it('of person and account change independently, and are audited as texts that can be erased', async () => {
        const { directory, store } = await start();
        const { id, accountId } = await driver.start();
        if (accountId === null) throw new Error('the verified person has no account');
        expect(await directory.rename(id, { name: 'Alice B.' }, BY)).toMatchObject({ outcome: 'renamed', person: { name: 'Alice B.', factors: [] } });
        expect([(await directory.find(id))?.name, (await store.accounts.findById(accountId))?.name]).toEqual(['Alice B.', 'Alice']);
        expect(await directory.rename(id, { accountName: 'Alice & Co.' }, BY)).toMatchObject({ outcome: 'renamed', person: { name: 'Alice B.' } });
        expect([(await directory.find(id))?.name, (await store.accounts.findById(accountId))?.name]).toEqual(['Alice B.', 'Alice & Co.']);
        const trail = await store.auditTrail.list({ accountId, actorKind: null, actorId: null, action: null, from: null, to: null, limit: 2, cursor: null });
        expect(trail?.records.map(({ action, texts }) => [action, texts['name']])).toEqual([['account.changed', 'Alice & Co.'], ['person.renamed', 'Alice B.']]);
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
      });

      it('must have 1 to 200 characters in one line, and cannot be set for unknown people', async () => {
        const { directory } = await start();
        const { id } = await driver.start();
        for (const names of [{ name: ' ' }, { name: 'a\nb' }, { accountName: 'x'.repeat(201) }]) expect(await directory.rename(id, names, BY)).toEqual({ outcome: 'name-malformed' });
        expect(await directory.rename(NOBODY, { name: 'Bob' }, BY)).toEqual({ outcome: 'no-such-person' });
        expect((await directory.find(id))?.name).toBe('Alice');
      });
    });

    describe('roles', () => {
      it('are granted and removed; the last operator keeps the role', async () => {
        const { directory } = await start();
        const [alice, bob] = [await driver.start(), await driver.start('bob@example.test')];
        expect(await directory.setRole(alice.id, 'operator', BY)).toBe('changed');
        expect(await directory.setRole(alice.id, 'operator', BY)).toBe('unchanged');
        expect(await directory.setRole(alice.id, 'owner', BY)).toBe('last-operator');
        await directory.setRole(bob.id, 'operator', BY);
        expect((await directory.listOperators()).map(({ id }) => id).toSorted()).toEqual([alice.id, bob.id].toSorted());
        const outcomes = await Promise.all([alice, bob].map(({ id }) => directory.setRole(id, 'owner', BY)));
        expect(outcomes.toSorted()).toEqual(['changed', 'last-operator']);
        expect(await directory.setRole(NOBODY, 'operator', BY)).toBe('no-such-person');
      });
    });

    describe('erasure', () => {
      it('removes a person who has no account, and mail to the person', async () => {
        const { directory, store } = await start();
        await store.accounts.create(anAccount({ email: ALICE_EMAIL }), SYSTEM_ACTOR);
        const id = await driver.signUp();
        const token = await driver.token(id, 'verify-email');
        for (const [number, to] of [ALICE_EMAIL, 'bob@example.test'].entries()) await store.mail.store(aStoredMail(number, { to }));
        expect(await directory.erase(id, BY)).toBe('erased');
        expect(await store.mail.status(STORE_NOON)).toMatchObject({ waiting: 1 });
        expect([await directory.find(id), await directory.findByEmail(ALICE_EMAIL)]).toEqual([null, null]);
        expect(await directory.redeem({ purpose: 'verify-email', token, password: ALICE_PASSWORD }, STORE_NOON)).toBeNull();
        expect(await directory.erase(id, BY)).toBe('no-such-person');
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
      });

      it('is refused if the person has an account, whose deletion erases the person', async () => {
        const { directory } = await start();
        const { id } = await driver.start();
        expect(await directory.erase(id, BY)).toBe('owns-account');
        expect(await directory.find(id)).not.toBeNull();
      });
    });

    singleUseTokensContract(start);
  });
}
