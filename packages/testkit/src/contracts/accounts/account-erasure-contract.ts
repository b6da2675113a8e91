import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type Account, type AccountErasure, type AccountId, type Actor, type ApiKeyId, type AuditQuery, type AuditTrail, clientAt, type DuePosition, erasedEmail,
  type IdempotencyStore, type Instant, later, NO_AUDIT_FILTERS, type OperatorControls, type PersonId, type ProcessId, type RequestId, type ResponseStore,
  ServiceTokens, type SessionId, SYSTEM_ACTOR, type TokenHash,
} from '@tollgate/core';
import { type MailOutbox, newAddressReference, type Person, type PersonRecords, type SessionRecords } from '@tollgate/identity';
import { anAccount, anApiKey, anEnding } from '../../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';
import { aStoredMail } from '../mail-contract.js';
import { aKeptResponse } from '../response-store-contract.js';

interface ErasureSubject extends StoreSubject {
  readonly erasure: AccountErasure;
  readonly idempotency: IdempotencyStore;
  readonly responses: ResponseStore;
  readonly auditTrail: AuditTrail;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly mail: MailOutbox;
  readonly controls: OperatorControls;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const PENDING = { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } } as const;
const KEY = anApiKey({ accountId: STORE_ALICE, name: 'of Alice' });

/** The guarantees of carrying out a deletion, over any store. */
export function accountErasureContract(name: string, make: () => ErasureSubject | Promise<ErasureSubject>): void {
  ownerErasureContract(name, make);

  describe(`AccountErasure contract: ${name}`, () => {
    let store: ErasureSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      await driver.credit('100');
      await store.keys.create({ key: KEY, maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    });

    /** The books balance and the audit chain is intact after every test. */
    afterEach(async () => {
      const [{ differences }, { fault }] = await Promise.all([store.ledgerAudit.verify(), store.auditTrail.verifyAuditTrail()]);
      await driver.close();
      expect([differences, fault]).toEqual([[], null]);
    });

    async function schedule(): Promise<Account> {
      await changeStanding(store.accounts, STORE_ALICE, PENDING, BY);
      return anAccount({ id: STORE_ALICE, ...PENDING });
    }

    async function keep(key: string, accountId: AccountId): Promise<void> {
      const claim = { accountId, key, requestId: `req_of_${accountId}_${key}` as RequestId };
      const expiresAt = later(STORE_NOON, 1000);
      await store.idempotency.claim({ ...claim, ownerId: 'process_owner' as ProcessId, fingerprint: 'f', at: STORE_NOON, expiresAt });
      await store.idempotency.finish({ ...claim, reply: { headers: {}, body: 'a reply' }, at: STORE_NOON, expiresAt });
    }

    async function claimAgain(key: string, accountId: AccountId): Promise<string> {
      const { outcome } = await store.idempotency.claim({
        accountId, key, requestId: 'req_again' as RequestId, ownerId: 'process_owner' as ProcessId, fingerprint: 'f', at: STORE_NOON, expiresAt: later(STORE_NOON, 1),
      });
      return outcome;
    }

    it('forfeits the balance, revokes the keys and erases personal data; books and usage stay', async () => {
      await driver.serve(1, anEnding(10), { keyId: KEY.id });
      const record = await store.usage.find(STORE_ALICE, 'req_1' as RequestId);
      const pending = await schedule();
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('90') });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual({ ...pending, status: 'deleted', deletion: null, name: '', email: erasedEmail(STORE_ALICE) });
      expect((await store.keys.findByHash(KEY.hash))).toMatchObject({ key: { name: null, revokedAt: STORE_NOON }, account: { status: 'deleted', name: '' } });
      expect(await driver.balance()).toBe('0/0/0');
      expect(await store.usage.find(STORE_ALICE, 'req_1' as RequestId)).toEqual(record);
    });

    it('removes the key of the playground with its block, and makes none afterwards', async () => {
      const key = { id: 'key_play' as ApiKeyId, accountId: STORE_ALICE, createdAt: STORE_NOON };
      await store.keys.createPlaygroundKey(key, SYSTEM_ACTOR);
      await store.keys.setBlocked(STORE_ALICE, key.id, true, BY);
      const others = await store.keys.createPlaygroundKey({ ...key, id: 'key_other' as ApiKeyId, accountId: STORE_BOB }, SYSTEM_ACTOR);
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      expect([await store.keys.findPlaygroundKey(STORE_ALICE), await store.keys.accountOf(key.id)]).toEqual([null, null]);
      expect(await store.controls.findBlock({ kind: 'key', subject: key.id })).toBeNull();
      expect(await store.keys.createPlaygroundKey(key, SYSTEM_ACTOR)).toBeNull();
      expect(await store.keys.findPlaygroundKey(STORE_BOB)).toEqual(others);
      const page = await store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 100, cursor: null });
      expect(page?.records.filter(({ subject }) => subject === key.id).map(({ action }) => action)).toEqual(['key.revoked', 'key.blocked', 'key.created']);
    });

    it('frees the address for another account', async () => {
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      expect(await store.accounts.findByEmail(anAccount().email)).toBeNull();
      expect(await store.accounts.create(anAccount({ id: 'acct_new' as AccountId }), SYSTEM_ACTOR)).toBe('created');
    });

    it('happens once under concurrent attempts', async () => {
      const pending = await schedule();
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.erasure.deleteAccount(STORE_ALICE, pending, BY)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'changed-meanwhile'), 'deleted']);
    });

    it('returns and announces the forfeiture once, and nothing while it is refused', async () => {
      await driver.reserve(1, '20');
      const pending = await schedule();
      const heard = (): readonly string[] => driver.heard.splice(0).map(({ kind, accountId, amount, balance }) => `${kind} of ${accountId}: ${amount.toString()} to ${balance.posted.toString()}`);
      heard();
      await store.erasure.deleteAccount(STORE_ALICE, pending, BY);
      expect(heard()).toEqual([]);
      await driver.settle(1, anEnding(15));
      heard();
      const outcome = await store.erasure.deleteAccount(STORE_ALICE, pending, BY);
      expect(outcome).toMatchObject({ booked: { kind: 'forfeiture', reference: `deletion of ${STORE_ALICE}`, amount: ServiceTokens.ZERO.minus(ServiceTokens.parse('85')) } });
      expect(heard()).toEqual([`forfeiture of ${STORE_ALICE}: -85 to 0`]);
      await store.erasure.deleteAccount(STORE_ALICE, pending, BY);
      expect(heard()).toEqual([]);
    });

    it('is not blocked by an act that names the reference of the forfeiture', async () => {
      const act = { accountId: STORE_ALICE, kind: 'top-up', amount: ServiceTokens.parse('1'), reference: `deletion of ${STORE_ALICE}`, reason: null, ...BY } as const;
      expect(await store.ledger.book(act)).toEqual({ outcome: 'reference-used-otherwise' });
      expect(await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY)).toMatchObject({ outcome: 'deleted' });
    });

    it('waits for open reservations', async () => {
      await driver.reserve(1, '20');
      const pending = await schedule();
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toEqual({ outcome: 'requests-running' });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual(pending);
      await driver.settle(1, anEnding(15));
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('85') });
    });

    it.each([
      ['cancelled', { status: 'active', deletion: null }],
      ['given another date', { status: 'pending-deletion', deletion: { dueAt: later(STORE_NOON, 1), returnsTo: 'active' } }],
      ['suspended', { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'suspended' } }],
    ] as const)('leaves an account alone that was %s after the deletion was decided', async (_, differences) => {
      const pending = await schedule();
      await changeStanding(store.accounts, STORE_ALICE, differences, BY);
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toEqual({ outcome: 'changed-meanwhile' });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual({ ...pending, ...differences });
      expect((await store.keys.findByHash(KEY.hash))?.key).toEqual(KEY);
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('deletes neither an account that is not pending nor an unknown one', async () => {
      expect(await store.erasure.deleteAccount(STORE_ALICE, anAccount(), BY)).toEqual({ outcome: 'changed-meanwhile' });
      expect(await store.erasure.deleteAccount('acct_nobody' as AccountId, anAccount(PENDING), BY)).toEqual({ outcome: 'changed-meanwhile' });
    });

    it('takes an account without a balance, and books no act of money on it afterwards', async () => {
      await changeStanding(store.accounts, STORE_BOB, PENDING, BY);
      const bob = await store.accounts.findById(STORE_BOB) ?? anAccount();
      expect(await store.erasure.deleteAccount(STORE_BOB, bob, BY)).toEqual({ outcome: 'deleted', forfeited: ServiceTokens.ZERO, booked: null });
      const act = { accountId: STORE_BOB, kind: 'top-up', amount: ServiceTokens.parse('1'), reference: 'late', reason: null, ...BY } as const;
      expect(await store.ledger.book(act)).toEqual({ outcome: 'account-deleted' });
      expect(await driver.balance(STORE_BOB)).toBe('0/0/0');
    });

    it('lists due deletions, the longest due first, and none afterwards', async () => {
      await changeStanding(store.accounts, STORE_BOB, { ...PENDING, deletion: { dueAt: later(STORE_NOON, -5), returnsTo: 'active' } }, BY);
      const pending = await schedule();
      const due = (now: Instant, limit = 10, after: DuePosition | null = null) => store.erasure.dueForDeletion(now, { limit, after });
      const [bob, alice] = [{ id: STORE_BOB, dueAt: later(STORE_NOON, -5) }, { id: STORE_ALICE, dueAt: STORE_NOON }];
      expect(await due(later(STORE_NOON, -6))).toEqual([]);
      expect(await due(later(STORE_NOON, -1))).toEqual([bob]);
      expect(await due(STORE_NOON)).toEqual([bob, alice]);
      expect(await due(STORE_NOON, 1)).toEqual([bob]);
      expect([await due(STORE_NOON, 10, bob), await due(STORE_NOON, 10, alice)]).toEqual([[alice], []]);
      await store.erasure.deleteAccount(STORE_ALICE, pending, BY);
      expect(await due(STORE_NOON)).toEqual([bob, alice]);
      await store.erasure.eraseLeftovers(STORE_ALICE);
      expect(await due(STORE_NOON)).toEqual([bob]);
    });

    it('erases the stored replies of the account only, also when repeated', async () => {
      for (let number = 0; number < 45; number += 1) await keep(`key ${number}`, STORE_ALICE);
      await keep('key 0', STORE_BOB);
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      for (let time = 0; time < 2; time += 1) await store.erasure.eraseLeftovers(STORE_ALICE);
      expect([await claimAgain('key 0', STORE_ALICE), await claimAgain('key 0', STORE_BOB)]).toEqual(['claimed', 'finished']);
    });

    it('erases the stored responses of the account only, however many', async () => {
      const numbers = Array.from({ length: 45 }, (_, index) => index);
      await Promise.all(numbers.map((number) => store.responses.keep(aKeptResponse(number))));
      await store.responses.keep(aKeptResponse(0, { accountId: STORE_BOB }));
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      await store.erasure.eraseLeftovers(STORE_ALICE);
      const left = await Promise.all(numbers.map((number) => store.responses.find(STORE_ALICE, `resp_${number}`, STORE_NOON)));
      expect(left.filter((response) => response !== null)).toEqual([]);
      expect(await store.responses.find(STORE_BOB, 'resp_0', STORE_NOON)).not.toBeNull();
    });
  });
}

const CAROL = 'acct_carol' as AccountId;
const OWNER: Actor = { kind: 'owner', id: 'person_carol', origin: clientAt('203.0.113.9') };
const OPERATOR: Actor = { kind: 'operator', id: 'person_olga', origin: clientAt('198.51.100.4') };
const ALL: AuditQuery = { ...NO_AUDIT_FILTERS, limit: 100, cursor: null };
const PASSWORD_HASH = 'a hash';

function personOf(account: Account, differences: Partial<Person> = {}): Person {
  return {
    id: 'person_carol' as PersonId, accountId: null, email: account.email, emailVerified: true, name: 'Carol', role: 'owner', factors: [],
    createdAt: STORE_NOON, ...differences,
  };
}

/** What the deletion of an account guarantees of the person who owns it. */
function ownerErasureContract(name: string, make: () => ErasureSubject | Promise<ErasureSubject>): void {
  describe(`AccountErasure contract, of the owner: ${name}`, () => {
    const account = anAccount({ id: CAROL, email: 'carol@example.test', name: 'Carol Sample', createdAt: STORE_NOON });
    const person = personOf(account);
    const hash = (character: string): TokenHash => character.repeat(64) as TokenHash;
    let store: ErasureSubject;

    beforeEach(async () => {
      store = await make();
      await store.people.register({ person, passwordHash: PASSWORD_HASH, account }, { actor: OWNER, at: STORE_NOON });
    });

    afterEach(async () => {
      const { fault } = await store.auditTrail.verifyAuditTrail();
      await store.close?.();
      expect(fault).toBeNull();
    });

    async function remove(): Promise<string> {
      await changeStanding(store.accounts, CAROL, PENDING, { actor: OPERATOR, at: STORE_NOON });
      return (await store.erasure.deleteAccount(CAROL, { ...account, ...PENDING }, BY)).outcome;
    }

    it('removes person, sessions, tokens and waiting mail, and frees the address', async () => {
      const session = {
        id: 'ses_1' as SessionId, personId: person.id, signedInBy: 'password', assurance: 'one-factor', createdAt: STORE_NOON, lastUsedAt: STORE_NOON, provenAt: STORE_NOON,
        address: '203.0.113.9', userAgent: null,
      } as const;
      await store.sessions.begin({ session, tokenHash: hash('5'), provenBy: { kind: 'password', hash: PASSWORD_HASH, browser: 'unknown' }, replaces: [], forgets: null });
      await store.people.putToken(
        { hash: hash('6'), personId: person.id, purpose: 'change-email', newEmail: 'caroline@example.test', expiresAt: later(STORE_NOON, 1000) }, STORE_NOON,
      );
      for (const [number, to] of ['carol@example.test', 'bob@example.test', 'caroline@example.test'].entries()) {
        await store.mail.store(aStoredMail(number, { to }));
      }
      await store.mail.store(aStoredMail(3, { to: 'caroline@example.test', reference: `${newAddressReference(person.id)}mail_3` }));
      expect(await remove()).toBe('deleted');
      expect([await store.people.find(person.id), await store.people.findByEmail(person.email), await store.sessions.find(hash('5'))]).toEqual([null, null, null]);
      expect(await store.people.findToken(hash('6'), 'change-email', STORE_NOON)).toBeNull();
      // Someone else may have the new address already.
      expect(new Set((await store.mail.list({ limit: 10, after: null })).map(({ to }) => to))).toEqual(new Set(['bob@example.test', 'caroline@example.test']));
      expect(await store.people.register({ person: personOf(account, { id: 'person_new' as PersonId }), passwordHash: null, account: { ...account, id: 'acct_new' as AccountId } }, BY))
        .toEqual({ outcome: 'created', id: 'person_new' });
    });

    it('leaves only their ids in the audit trail, and keeps the chain intact', async () => {
      const key = anApiKey({ accountId: CAROL, name: 'Carols Laptop', createdAt: STORE_NOON });
      await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OWNER });
      await store.accounts.change(CAROL, { name: 'Caroline' }, { actor: OPERATOR, at: STORE_NOON });
      const before = JSON.stringify(await store.auditTrail.list(ALL));
      for (const text of ['Carols Laptop', 'Caroline', '203.0.113.9', '198.51.100.4']) expect(before).toContain(text);
      await remove();
      const after = JSON.stringify(await store.auditTrail.list(ALL));
      for (const text of ['Laptop', 'Caroline', '203.0.113.9']) expect(after).not.toContain(text);
      expect(after).toContain('198.51.100.4');
      expect((await store.auditTrail.list({ ...ALL, accountId: CAROL }))?.records.map(({ action }) => action))
        .toEqual(['account.deleted', 'person.erased', 'key.revoked', 'account.changed', 'account.changed', 'key.created', 'person.registered', 'account.created']);
    });

    it('is refused for the last operator, and changes nothing', async () => {
      await store.people.setRole(person.id, 'operator', BY);
      expect(await store.erasure.ownerIsLastOperator(CAROL)).toBe(true);
      expect(await remove()).toBe('last-operator');
      expect(await store.accounts.findById(CAROL)).toMatchObject({ status: 'pending-deletion', email: account.email });
      expect(await store.people.find(person.id)).not.toBeNull();
      const other = anAccount({ id: 'acct_olga' as AccountId, email: 'olga@example.test' });
      const olga = personOf(other, { id: 'person_olga' as PersonId });
      await store.people.register({ person: olga, passwordHash: null, account: other }, BY);
      await store.people.setRole(olga.id, 'operator', BY);
      expect(await store.erasure.ownerIsLastOperator(CAROL)).toBe(false);
      expect((await store.erasure.deleteAccount(CAROL, { ...account, ...PENDING }, BY)).outcome).toBe('deleted');
      expect(await store.erasure.ownerIsLastOperator(other.id)).toBe(true);
    });

    it('leaves one operator when two are deleted concurrently', async () => {
      const other = anAccount({ id: 'acct_olga' as AccountId, email: 'olga@example.test' });
      const olga = personOf(other, { id: 'person_olga' as PersonId });
      await store.people.register({ person: olga, passwordHash: null, account: other }, BY);
      for (const { id } of [person, olga]) await store.people.setRole(id, 'operator', BY);
      for (const { id } of [account, other]) await changeStanding(store.accounts, id, PENDING, BY);
      const outcomes = await Promise.all([account, other].map((one) => store.erasure.deleteAccount(one.id, { ...one, ...PENDING }, BY)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['deleted', 'last-operator']);
    });
  });
}
