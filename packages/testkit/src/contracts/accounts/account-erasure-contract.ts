import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type Account, type AccountErasure, type AccountId, type ApiKeyId, type AuditTrail, type DuePosition, erasedEmail, type IdempotencyStore, type Instant, later,
  NO_AUDIT_FILTERS, type OperatorControls, type ProcessId, type RequestId, type ResponseStore, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount, anApiKey, anEnding } from '../../builders/builders.js';
import { changeStanding, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';
import { aKeptResponse } from '../response-store-contract.js';

export interface ErasureSubject extends StoreSubject {
  readonly erasure: AccountErasure;
  readonly idempotency: IdempotencyStore;
  readonly responses: ResponseStore;
  readonly auditTrail: AuditTrail;
  readonly controls: OperatorControls;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const PENDING = { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } } as const;
const KEY = anApiKey({ accountId: STORE_ALICE, name: 'of Alice' });

export function accountErasureContract(name: string, make: () => ErasureSubject | Promise<ErasureSubject>): void {
  describe(`AccountErasure contract: ${name}`, () => {
    let store: ErasureSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      await driver.credit('100');
      await store.keys.create({ key: KEY, maximumActive: 5, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    });

    /** Checks after each test that the books balance and that the audit chain is intact. */
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

    it('forfeits the balance, revokes the keys, erases personal data, and keeps usage records', async () => {
      await driver.serve(1, anEnding(10), { keyId: KEY.id });
      const record = await store.usage.find(STORE_ALICE, 'req_1' as RequestId);
      await store.accounts.change(STORE_ALICE, { externalId: 'customer 7', metadata: { phone: '555' } }, BY);
      const pending = await schedule();
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('90') });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual({
        ...pending, status: 'deleted', deletion: null, name: '', email: erasedEmail(STORE_ALICE), externalId: null, metadata: {},
      });
      expect((await store.keys.findByHash(KEY.hash))).toMatchObject({ key: { name: null, revokedAt: STORE_NOON }, account: { status: 'deleted', name: '' } });
      expect(await driver.balance()).toBe('0/0/0');
      expect(await store.usage.find(STORE_ALICE, 'req_1' as RequestId)).toEqual(record);
    });

    it('removes the playground key together with its block, and allows no new one', async () => {
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

    it('deletes an account once under concurrent attempts', async () => {
      const pending = await schedule();
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.erasure.deleteAccount(STORE_ALICE, pending, BY)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'changed-meanwhile'), 'deleted']);
    });

    it('returns and announces the forfeiture once; a refused or repeated deletion announces none', async () => {
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

    it('deletes an account although a refused top-up has named the reference of the forfeiture', async () => {
      const act = { accountId: STORE_ALICE, kind: 'top-up', amount: ServiceTokens.parse('1'), reference: `deletion of ${STORE_ALICE}`, reason: null, ...BY } as const;
      expect(await store.ledger.book(act)).toEqual({ outcome: 'reference-used-otherwise' });
      expect(await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY)).toMatchObject({ outcome: 'deleted' });
    });

    it('deletes no account that has a running request', async () => {
      await driver.reserve(1, '20');
      const pending = await schedule();
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toEqual({ outcome: 'requests-running' });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual(pending);
      await driver.settle(1, anEnding(15));
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('85') });
    });

    it.each([
      ['whose deletion was cancelled', { status: 'active', deletion: null }],
      ['whose deletion got another date', { status: 'pending-deletion', deletion: { dueAt: later(STORE_NOON, 1), returnsTo: 'active' } }],
      ['that was suspended', { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'suspended' } }],
    ] as const)('does not delete an account %s after the deletion was decided', async (_, differences) => {
      const pending = await schedule();
      await changeStanding(store.accounts, STORE_ALICE, differences, BY);
      expect(await store.erasure.deleteAccount(STORE_ALICE, pending, BY)).toEqual({ outcome: 'changed-meanwhile' });
      expect(await store.accounts.findById(STORE_ALICE)).toEqual({ ...pending, ...differences });
      expect((await store.keys.findByHash(KEY.hash))?.key).toEqual(KEY);
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('deletes neither an account that is not pending deletion nor an unknown one', async () => {
      expect(await store.erasure.deleteAccount(STORE_ALICE, anAccount(), BY)).toEqual({ outcome: 'changed-meanwhile' });
      expect(await store.erasure.deleteAccount('acct_nobody' as AccountId, anAccount(PENDING), BY)).toEqual({ outcome: 'changed-meanwhile' });
    });

    it('deletes an account without a balance, and books no money act on it afterwards', async () => {
      await changeStanding(store.accounts, STORE_BOB, PENDING, BY);
      const bob = await store.accounts.findById(STORE_BOB) ?? anAccount();
      expect(await store.erasure.deleteAccount(STORE_BOB, bob, BY)).toEqual({ outcome: 'deleted', forfeited: ServiceTokens.ZERO, booked: null });
      const act = { accountId: STORE_BOB, kind: 'top-up', amount: ServiceTokens.parse('1'), reference: 'late', reason: null, ...BY } as const;
      expect(await store.ledger.book(act)).toEqual({ outcome: 'account-deleted' });
      expect(await driver.balance(STORE_BOB)).toBe('0/0/0');
    });

    it('lists each due deletion, the longest due first, until the remaining data of its account is erased', async () => {
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

    it('erases only the deleted account’s replies under idempotency keys, and can be repeated', async () => {
      for (let number = 0; number < 45; number += 1) await keep(`key ${number}`, STORE_ALICE);
      await keep('key 0', STORE_BOB);
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      for (let time = 0; time < 2; time += 1) await store.erasure.eraseLeftovers(STORE_ALICE);
      expect([await claimAgain('key 0', STORE_ALICE), await claimAgain('key 0', STORE_BOB)]).toEqual(['claimed', 'finished']);
    });

    it('stores no reply of a deleted account under an idempotency key that is claimed after the erasure', async () => {
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      await store.erasure.eraseLeftovers(STORE_ALICE);
      for (const accountId of [STORE_ALICE, STORE_BOB]) await keep('key', accountId);
      const replies = [STORE_ALICE, STORE_BOB].map((accountId) => store.idempotency.reply({ accountId, key: 'key', requestId: `req_of_${accountId}_key` as RequestId }));
      expect(await Promise.all(replies)).toEqual([null, { headers: {}, body: 'a reply' }]);
    });

    it('stores no response of a deleted account after its responses were erased', async () => {
      await store.erasure.deleteAccount(STORE_ALICE, await schedule(), BY);
      await store.erasure.eraseLeftovers(STORE_ALICE);
      for (const accountId of [STORE_ALICE, STORE_BOB]) await store.responses.keep(aKeptResponse(1, { accountId }));
      expect(await store.responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toBeNull();
      expect(await store.responses.find(STORE_BOB, 'resp_1', STORE_NOON)).not.toBeNull();
    });

    it('leaves no response that was being stored while the account was deleted', async () => {
      const pending = await schedule();
      const keeping = Array.from({ length: 20 }, (_, number) => store.responses.keep(aKeptResponse(number)));
      await store.erasure.deleteAccount(STORE_ALICE, pending, BY);
      await store.erasure.eraseLeftovers(STORE_ALICE);
      await Promise.all(keeping);
      expect(await store.responses.sizeOf(STORE_ALICE, keeping.map((_, number) => `resp_${number}`), STORE_NOON)).toBe(0);
    });

    it('erases all stored responses of the deleted account, and no others', async () => {
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
