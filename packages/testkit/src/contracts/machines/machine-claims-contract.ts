import {
  type AccountErasure, type AccountId, type AccountRepository, type Actor, GATEWAY_ORIGIN, type IdempotencyStore, KeyClaimed, later, type MachineClaim, type MachineClaims, type MachineId, MACHINE_CLAIM_KEPT_MILLISECONDS, type RequestId,
} from '@tollgate/core';
import { anAccount } from '../../builders/builders.js';
import { deleteAccount, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

interface ClaimsStore {
  readonly machineClaims: MachineClaims;
  readonly idempotency: Pick<IdempotencyStore, 'sweep'>;
  readonly accounts: AccountRepository;
  readonly erasure: AccountErasure;
}

/** One empty store, opened by two gateways. */
export interface MachineClaimsSubject {
  readonly store: ClaimsStore;
  readonly other: ClaimsStore;
  close?(): Promise<void>;
}

const ANSWER = { status: 201, body: '{"id":"x"}', accountId: null };
const END = later(STORE_NOON, MACHINE_CLAIM_KEPT_MILLISECONDS);

function claimOf(request: string, differences: Partial<MachineClaim> = {}): MachineClaim {
  return { machineId: 'mach_1' as MachineId, key: 'order 7', fingerprint: 'f', requestId: request as RequestId, ...differences };
}

function by(claim: MachineClaim) {
  const actor: Actor = { kind: 'machine', id: `machine:${claim.machineId}`, origin: GATEWAY_ORIGIN, claim };
  return { actor, at: STORE_NOON };
}

export function machineClaimsContract(name: string, make: () => Promise<MachineClaimsSubject>): void {
  describe(`MachineClaims contract: ${name}`, () => {
    let subject: MachineClaimsSubject;
    const account = anAccount({ createdAt: STORE_NOON });

    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.close?.());

    function create(store: ClaimsStore, claim: MachineClaim): Promise<string> {
      return store.accounts.create(account, by(claim).actor);
    }

    it('claims the idempotency key in the transaction of the change, for that request only', async () => {
      const { store, other } = subject;
      expect(await store.machineClaims.find(claimOf('req_1'), STORE_NOON)).toBeNull();
      expect(await create(store, claimOf('req_1'))).toBe('created');
      expect(await other.machineClaims.find(claimOf('req_2'), STORE_NOON)).toEqual({
        requestId: 'req_1', fingerprint: 'f', subject: account.id, claimedAt: account.createdAt, answer: null,
      });
      await expect(other.accounts.change(account.id, { name: 'Changed' }, by(claimOf('req_2')))).rejects.toThrow(KeyClaimed);
      expect(await store.accounts.findById(account.id)).toEqual(account);
      expect(await store.accounts.change(account.id, { name: 'Changed' }, by(claimOf('req_1')))).toMatchObject({ name: 'Changed' });
    });

    it('treats equal keys of different machines as different keys', async () => {
      const { store } = subject;
      await create(store, claimOf('req_1'));
      for (const differences of [{ machineId: 'mach_2' as MachineId }, { key: 'order 8' }]) {
        expect(await store.accounts.change(account.id, { name: 'Changed' }, by(claimOf('req_2', differences)))).toMatchObject({ name: 'Changed' });
      }
    });

    it('claims the key of a refused change only when its answer is stored', async () => {
      const { store, other } = subject;
      await create(store, claimOf('req_1'));
      expect(await create(store, claimOf('req_2', { key: 'taken' }))).toBe('email-taken');
      expect(await store.machineClaims.find(claimOf('req_2', { key: 'taken' }), STORE_NOON)).toBeNull();
      expect(await store.machineClaims.storeAnswer(claimOf('req_2', { key: 'taken' }), ANSWER, STORE_NOON)).toBe(true);
      expect(await other.machineClaims.storeAnswer(claimOf('req_3', { key: 'taken' }), { ...ANSWER, status: 200 }, STORE_NOON)).toBe(false);
      expect(await other.machineClaims.find(claimOf('req_3', { key: 'taken' }), STORE_NOON)).toMatchObject({
        requestId: 'req_2', subject: null, answer: { status: 201, body: '{"id":"x"}' },
      });
    });

    it('stores no answer about a deleted account, whether its change had an effect or not', async () => {
      const { store, other } = subject;
      const bob = anAccount({ id: 'acct_bob' as AccountId, email: 'bob@example.test', createdAt: STORE_NOON });
      const claims = ['1', '2', '3', '4'].map((number) => claimOf(`req_${number}`, { key: `order ${number}` }));
      for (const [number, created] of [account, bob].entries()) await store.accounts.create(created, by(claims[number] ?? claimOf('req_0')).actor);
      await deleteAccount(store, account.id);
      const accountIds = [null, null, account.id, bob.id];
      for (const [number, claim] of claims.entries()) {
        expect(await other.machineClaims.storeAnswer(claim, { ...ANSWER, accountId: accountIds[number] ?? null }, STORE_NOON)).toBe(true);
      }
      const found = await Promise.all(claims.map((claim) => store.machineClaims.find(claim, STORE_NOON)));
      const kept = { status: 201, body: '{"id":"x"}' };
      expect(found.map((claim) => [claim?.requestId, claim?.answer])).toEqual([['req_1', null], ['req_2', kept], ['req_3', null], ['req_4', kept]]);
    });

    it('forgets a key at its expiry', async () => {
      const { store } = subject;
      expect(await store.machineClaims.storeAnswer(claimOf('req_1'), ANSWER, STORE_NOON)).toBe(true);
      expect(await store.machineClaims.storeAnswer(claimOf('req_2'), ANSWER, later(END, -1))).toBe(false);
      expect(await store.machineClaims.find(claimOf('req_2'), END)).toBeNull();
      expect(await store.machineClaims.storeAnswer(claimOf('req_2'), ANSWER, END)).toBe(true);
    });

    it('deletes at most 500 expired keys in one step of a sweep, the earliest first', async () => {
      const { machineClaims, idempotency } = subject.store;
      const claims = Array.from({ length: 503 }, (_, number) => claimOf(`req_${number}`, { key: `order ${number}` }));
      await Promise.all(claims.map((claim, number) => machineClaims.storeAnswer(claim, ANSWER, later(STORE_NOON, number === 0 ? 1 : 0))));
      const swept: number[] = [];
      for (const at of [later(END, -1), END, END, END, later(END, 1)]) swept.push(await idempotency.sweep(at, later(at, 1)));
      expect(swept).toEqual([0, 500, 2, 0, 1]);
    });

    it('lets one of several concurrent changes claim the key', async () => {
      const { store, other } = subject;
      await store.accounts.create(account, by(claimOf('req_0', { key: 'first' })).actor);
      const changes = Array.from({ length: 6 }, (_, number) =>
        (number % 2 === 0 ? store : other).accounts.change(account.id, { name: `Name ${number}` }, by(claimOf(`req_${number}`))).then(() => number, () => null));
      const [winner, ...others] = (await Promise.all(changes)).filter((number) => number !== null);
      expect(others).toEqual([]);
      expect(await store.accounts.findById(account.id)).toMatchObject({ name: `Name ${winner ?? ''}` });
    });
  });
}
