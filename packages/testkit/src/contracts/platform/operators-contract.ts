import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type AccountErasure, type AccountId, type ApiKeyId, type AuditedBy, type BookedMoneyAct, type KeyHash, later, type MoneyAct,
  type OperatorLookups, PAY_AS_YOU_GO, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { OPERATOR_LINK_MILLISECONDS, Operators, type Person } from '@tollgate/identity';
import { anAccount, anApiKey, anEnding } from '../../builders/builders.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, cookieOf, type MakePeople, PeopleDriver, theOnly } from '../people/people-subject.js';
import { changeStanding, deleteAccount, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';

const BY: AuditedBy = { actor: { kind: 'operator', id: 'olga', origin: { place: 'command-line', user: 'olga', address: null, via: null } }, at: STORE_NOON };

function operatorsOf({ subject: { tokens, ids }, store }: PeopleDriver): Operators {
  return new Operators({ records: store.people, tokens, ids });
}

export function operatorsContract(name: string, make: MakePeople): void {
  describe(`Operators contract: ${name}`, () => {
    let driver: PeopleDriver;
    let operators: Operators;
    beforeEach(async () => {
      driver = new PeopleDriver(await make(), { signUp: 'closed' });
      operators = operatorsOf(driver);
    });
    afterEach(() => driver.subject.close?.());

    const appoint = (email = ALICE_EMAIL): Promise<Person> => operators.appoint({ email, name: 'Alice', planId: PAY_AS_YOU_GO, by: BY });
    const signInBy = async (token: string | null, at = STORE_NOON) => driver.sessions.signIn(aBrowser(), { kind: 'link', token: token ?? '' }, at);

    it('creates a verified person with an account, once, even if sign-up is closed', async () => {
      const person = await appoint('Alice@Example.test');
      expect(person).toMatchObject({ email: ALICE_EMAIL, emailVerified: true, role: 'operator' });
      expect(await driver.store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ id: person.accountId, emailVerified: true });
      expect(await appoint()).toEqual(person);
      expect(await operators.list()).toEqual([person]);
      expect(await driver.store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
    });

    it('gives the new operator the account that already has the address', async () => {
      const account = anAccount({ email: ALICE_EMAIL });
      await driver.store.accounts.create(account, SYSTEM_ACTOR);
      expect((await appoint()).accountId).toBe(account.id);
    });

    it('replaces password and name of an appointed person who is unverified, and keeps the password of a verified one', async () => {
      const open = new PeopleDriver(driver.subject);
      const id = await open.signUp();
      await operators.appoint({ email: ALICE_EMAIL, name: 'Alice Liddell', planId: PAY_AS_YOU_GO, by: BY });
      expect((await open.signIn()).outcome).toBe('refused');
      expect([(await open.directory.find(id))?.name, (await driver.store.accounts.findByEmail(ALICE_EMAIL))?.name]).toEqual(['Alice Liddell', 'Alice Liddell']);
      expect((await operators.list()).map((person) => person.id)).toEqual([id]);
      const bob = await open.start('bob@example.test');
      await appoint('bob@example.test');
      expect(await open.signIn(ALICE_PASSWORD, { email: 'bob@example.test' })).toMatchObject({ outcome: 'signed-in', signedIn: { person: { id: bob.id, role: 'operator' } } });
    });

    it('signs the operator in once, with the newest link only, and within 15 minutes', async () => {
      const { id } = await appoint();
      const first = await operators.issueLink(id, BY);
      const second = await operators.issueLink(id, BY);
      expect((await signInBy(first)).outcome).toBe('refused');
      const outcomes = await Promise.all([signInBy(second), new PeopleDriver(driver.subject, {}, driver.subject.other).sessions.signIn(aBrowser(), { kind: 'link', token: second ?? '' }, STORE_NOON)]);
      const signedIn = theOnly(outcomes.map((outcome) => (outcome.outcome === 'signed-in' ? outcome : null)));
      expect(signedIn).toHaveLength(1);
      expect(await driver.who(cookieOf(signedIn[0] ?? { outcome: 'refused' }))).toBe(ALICE_EMAIL);
      const late = await operators.issueLink(id, BY);
      expect((await signInBy(late, later(STORE_NOON, OPERATOR_LINK_MILLISECONDS))).outcome).toBe('refused');
    });

    it('removes the role, but not from the last operator', async () => {
      const alice = await appoint();
      expect(await operators.dismiss(alice.id, BY)).toBe('last-operator');
      await appoint('bob@example.test');
      const outcomes = await Promise.all((await operators.list()).map(({ id }) => operators.dismiss(id, BY)));
      expect(outcomes.toSorted()).toEqual(['changed', 'last-operator']);
    });
  });
}

interface OperatorLookupsSubject extends StoreSubject {
  readonly lookups: OperatorLookups;
  readonly erasure: AccountErasure;
}

const BY_SYSTEM = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const COMMON = { accountId: STORE_ALICE, actor: SYSTEM_ACTOR, reason: 'as agreed', at: STORE_NOON };

function serviceTokens(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

export function operatorLookupsContract(name: string, make: () => OperatorLookupsSubject | Promise<OperatorLookupsSubject>): void {
  describe(`OperatorLookups contract: ${name}`, () => {
    let store: OperatorLookupsSubject;
    let driver: StoreDriver;
    let keys = 0;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      keys = 0;
    });
    afterEach(() => driver.close());

    async function addKey(accountId: AccountId, ending: string): Promise<ApiKeyId> {
      keys += 1;
      const id = `key_${keys}` as ApiKeyId;
      const key = anApiKey({ id, accountId, hint: `sk-Ab…${ending}`, hash: String(keys).padStart(64, '0') as KeyHash, createdAt: later(STORE_NOON, keys) });
      await store.keys.create({ key, maximumActive: 99, maximumPerHour: 99, actor: SYSTEM_ACTOR });
      return id;
    }

    it('returns the balances of several accounts in the order of the given ids', async () => {
      await driver.credit('7', STORE_BOB);
      await driver.reserve(1, '3', { facts: { accountId: STORE_BOB } });
      const balances = await store.lookups.balancesOf([STORE_BOB, 'acct_none' as AccountId, STORE_ALICE]);
      expect(balances.map((balance) => (balance === null ? null : `${balance.posted.toString()} ${balance.reserved.toString()}`))).toEqual(['7 3', null, '0 0']);
      expect(await store.lookups.balancesOf([])).toEqual([]);
    });

    it('returns the times of the last changes of accounts and keys, in the order of the given ids', async () => {
      await addKey(STORE_BOB, '0001');
      const [key] = await store.keys.listByAccount(STORE_BOB);
      if (key === undefined) throw new Error('the account has a key');
      const at = later(STORE_NOON, 9);
      const by = { ...BY, at };
      await driver.credit('7', STORE_BOB);
      await store.accounts.change(STORE_BOB, { name: 'Robert' }, by);
      const updates = () => store.lookups.keyUpdatesOf(['key_none' as ApiKeyId, key.id]);
      expect(await store.lookups.accountUpdatesOf([STORE_BOB, 'acct_none' as AccountId, STORE_ALICE])).toEqual([at, null, (await store.accounts.findById(STORE_ALICE))?.createdAt]);
      expect(await updates()).toEqual([null, key.createdAt]);
      for (const change of [
        () => store.keys.change(STORE_BOB, key.id, { name: 'laptop' }, by), () => store.keys.setBlocked(STORE_BOB, key.id, true, { ...by, at: later(at, 1) }),
        () => store.keys.setBlocked(STORE_BOB, key.id, false, { ...by, at: later(at, 2) }), () => store.keys.revoke(STORE_BOB, key.id, { ...by, at: later(at, 3) }),
      ]) await change();
      expect(await updates()).toEqual([null, later(at, 3)]);
      expect([await store.lookups.accountUpdatesOf([]), await store.lookups.keyUpdatesOf([])]).toEqual([[], []]);
    });

    it('finds names of keys by id, also of revoked and playground keys, and finds keys by parts of name and hint', async () => {
      for (const ending of ['0001', '0002', '0003']) await addKey(STORE_BOB, ending);
      const listed = await store.keys.listByAccount(STORE_BOB);
      const ids = listed.map(({ id }) => id);
      const [first, second] = ids;
      if (first === undefined || second === undefined) throw new Error('the account has keys');
      await store.keys.change(STORE_BOB, first, { name: 'Büro [1]%' }, BY);
      await store.keys.revoke(STORE_BOB, first, BY);
      const playground = 'key_play' as ApiKeyId;
      await store.keys.createPlaygroundKey({ id: playground, accountId: STORE_BOB, createdAt: STORE_NOON }, SYSTEM_ACTOR);
      const named = async (...[asked, account]: Parameters<OperatorLookups['keyLabels']>) => (await store.lookups.keyLabels(asked, account)).map((key) => `${key.id} ${key.name ?? ''}`).toSorted();
      const both = [`${first} Büro [1]%`, `${playground} `].toSorted();
      expect(await named([first, playground, 'key_none' as ApiKeyId], STORE_BOB)).toEqual(both);
      expect(await named([first, playground], null)).toEqual(both);
      expect([await named([first, playground], STORE_ALICE), await named([], STORE_BOB)]).toEqual([[], []]);
      expect((await store.lookups.keyLabels([playground], STORE_BOB))[0]?.hint).toBeNull();
      const found = async (text: string, limit = 9) => (await store.lookups.findKeys({ accountId: STORE_BOB, text, limit })).map(({ id }) => id);
      expect([await found(''), await found('', 1), await found('BÜRO [1]%'), await found('o *'), await found('0002')]).toEqual([ids, [first], [first], [], listed.filter(({ hint }) => hint.includes('0002')).map(({ id }) => id)]);
      expect(await store.lookups.findKeys({ accountId: STORE_ALICE, text: '', limit: 9 })).toEqual([]);
      expect((await store.lookups.findKeys({ accountId: null, text: 'büro', limit: 9 })).map(({ id }) => id)).toEqual([first]);
    });

    it('finds names of accounts by id, except of deleted and unknown accounts', async () => {
      await store.accounts.change(STORE_BOB, { name: 'Bob & Söhne' }, BY);
      const bob = await store.accounts.findById(STORE_BOB);
      const named = () => store.lookups.holderLabels([STORE_BOB, 'acct_none' as AccountId]);
      expect(await named()).toEqual([{ id: STORE_BOB, name: 'Bob & Söhne', email: bob?.email }]);
      await deleteAccount(store, STORE_BOB);
      expect([await named(), await store.lookups.holderLabels([])]).toEqual([[], []]);
    });

    it('lists the acts of money of one account with signed amounts, newest first and without charges', async () => {
      await store.ledger.credit({ ...COMMON, amount: serviceTokens('100'), reference: 'invoice 1' });
      await driver.credit('5', STORE_BOB);
      await driver.serve(1, anEnding(10));
      const acts: readonly MoneyAct[] = [
        { ...COMMON, kind: 'refund', amount: serviceTokens('2.5'), requestId: requestId(1), reference: 'ticket 2', reason: 'slow' },
        { ...COMMON, kind: 'correction', direction: 'lower', amount: serviceTokens('4'), reference: 'c', at: later(STORE_NOON, 5) },
        { ...COMMON, kind: 'correction', direction: 'raise', amount: serviceTokens('1'), reference: 'd', reason: null },
      ];
      for (const act of acts) expect(await store.ledger.book(act)).toMatchObject({ outcome: 'booked' });
      const { acts: listed, next } = await store.lookups.moneyActs(STORE_ALICE, { limit: 10, before: null });
      expect(next).toBeNull();
      expect(listed.map(({ number: _number, amount, ...act }) => ({ ...act, amount: amount.toString() }))).toEqual([
        { kind: 'correction', amount: '1', requestId: null, reference: 'd', reason: null, at: STORE_NOON },
        { kind: 'correction', amount: '-4', requestId: null, reference: 'c', reason: 'as agreed', at: later(STORE_NOON, 5) },
        { kind: 'refund', amount: '2.5', requestId: 'req_1', reference: 'ticket 2', reason: 'slow', at: STORE_NOON },
        { kind: 'top-up', amount: '100', requestId: null, reference: 'invoice 1', reason: 'as agreed', at: STORE_NOON },
      ]);
    });

    it('pages through money acts, including the forfeiture of a deletion', async () => {
      for (let number = 1; number <= 4; number += 1) await driver.credit(String(number));
      await changeStanding(store.accounts, STORE_ALICE, { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } }, BY_SYSTEM);
      const account = await store.accounts.findById(STORE_ALICE);
      if (account === null) throw new Error("Alice's account was not found");
      await store.erasure.deleteAccount(STORE_ALICE, account, BY_SYSTEM);
      const listed: BookedMoneyAct[] = [];
      let before: number | null = null;
      do {
        const { acts, next } = await store.lookups.moneyActs(STORE_ALICE, { limit: 2, before });
        expect(acts.length).toBeLessThanOrEqual(2);
        listed.push(...acts);
        before = next;
      } while (before !== null);
      expect(listed.map(({ kind, amount }) => `${kind} ${amount.toString()}`)).toEqual(['forfeiture -10', 'top-up 4', 'top-up 3', 'top-up 2', 'top-up 1']);
      expect(await store.lookups.moneyActs(STORE_BOB, { limit: 2, before: null })).toEqual({ acts: [], next: null });
    });
  });
}
