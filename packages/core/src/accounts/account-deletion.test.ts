import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import {
  AccountDeletion, type AccountDeletionPorts, type AccountErasure, type AccountId, AccountStandings, type Actor, DELETIONS_PER_TURN, GATEWAY_ORIGIN,
  MILLISECONDS_PER_DAY, ServiceTokens, storeRefusal, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount } from '@tollgate/testkit';

const OPERATOR: Actor = { kind: 'operator', id: 'olga', origin: GATEWAY_ORIGIN };
const OWNER: Actor = { kind: 'owner', id: 'alice', origin: GATEWAY_ORIGIN };
const { id } = anAccount();

describe('AccountDeletion', () => {
  let store: MemoryStore;
  let clock: ManualClock;
  let deletion: AccountDeletion;

  function deletionOver(ports: Partial<AccountDeletionPorts>): AccountDeletion {
    return new AccountDeletion({ accounts: store.accounts, erasure: store.erasure, clock, ...ports });
  }

  function erasureWith(differences: Partial<AccountErasure>): AccountErasure {
    const { erasure } = store;
    return {
      dueForDeletion: (...query) => erasure.dueForDeletion(...query),
      ownerIsLastOperator: (...query) => erasure.ownerIsLastOperator(...query),
      deleteAccount: (...act) => erasure.deleteAccount(...act),
      eraseLeftovers: (...act) => erasure.eraseLeftovers(...act),
      ...differences,
    };
  }

  function schedule(accountId: AccountId, graceMilliseconds: number): Promise<unknown> {
    return new AccountStandings({ accounts: store.accounts, clock }).perform({ accountId, trigger: 'request-deletion', actor: OPERATOR, graceMilliseconds });
  }

  beforeEach(async () => {
    store = createMemoryStore();
    clock = new ManualClock();
    deletion = deletionOver({});
    await store.accounts.create(anAccount(), SYSTEM_ACTOR);
    await store.ledger.credit({ accountId: id, amount: ServiceTokens.parse('3'), reference: 'r', actor: SYSTEM_ACTOR, at: clock.now() });
  });

  it('deletes an account when its deletion is due, not before', async () => {
    await schedule(id, MILLISECONDS_PER_DAY);
    clock.advance(MILLISECONDS_PER_DAY - 1);
    expect(await deletion.carryOutDue()).toEqual({ deleted: [], failed: [] });
    expect(await deletion.carryOut(id, SYSTEM_ACTOR)).toMatchObject({ outcome: 'refused', code: 'conflict' });
    clock.advance(1);
    expect(await deletion.carryOutDue()).toEqual({ deleted: [id], failed: [] });
    expect(await deletion.carryOutDue()).toEqual({ deleted: [], failed: [] });
    expect((await store.accounts.findById(id))?.status).toBe('deleted');
  });

  it('deletes before the due date only for an operator, and only an account with a pending deletion', async () => {
    expect(await deletion.carryOut(id, OPERATOR)).toMatchObject({ outcome: 'refused', code: 'conflict' });
    await schedule(id, MILLISECONDS_PER_DAY);
    expect(await deletion.carryOut(id, OWNER)).toMatchObject({ outcome: 'refused', code: 'not_found' });
    expect(await deletion.carryOut(id, OPERATOR)).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('3') });
    expect(await deletion.carryOut(id, OPERATOR)).toEqual({ outcome: 'deleted-already' });
    expect(await deletion.carryOut('acct_none' as AccountId, OPERATOR)).toEqual({ outcome: 'no-such-account' });
  });

  it('completes the erasure that a dead process left unfinished after the deletion', async () => {
    await schedule(id, 0);
    const killed = deletionOver({ erasure: erasureWith({ eraseLeftovers: () => Promise.reject(new Error('killed')) }) });
    expect(await killed.carryOutDue()).toMatchObject({ deleted: [], failed: [{ accountId: id }] });
    const everything = { limit: 10, after: null };
    expect(await store.erasure.dueForDeletion(clock.now(), everything)).toMatchObject([{ id }]);
    expect(await deletion.carryOutDue()).toEqual({ deleted: [], failed: [] });
    expect(await store.erasure.dueForDeletion(clock.now(), everything)).toEqual([]);
  });

  it('is not blocked by failing deletions, however many and however old', async () => {
    const failing = Array.from({ length: DELETIONS_PER_TURN + 5 }, (_, number) => `acct_${number}` as AccountId);
    for (const accountId of failing) {
      await store.accounts.create(anAccount({ id: accountId, email: `${accountId}@example.test` }), SYSTEM_ACTOR);
      await schedule(accountId, 0);
    }
    clock.advance(1);
    await schedule(id, 0);
    const stubborn = deletionOver({
      erasure: erasureWith({
        deleteAccount: (...act) => (act[0] === id ? store.erasure.deleteAccount(...act) : Promise.reject(new Error('it always fails'))),
      }),
    });
    const turns = [await stubborn.carryOutDue(), await stubborn.carryOutDue(), await stubborn.carryOutDue()];
    expect(turns.map(({ deleted, failed }) => [deleted, failed.length])).toEqual([[[], DELETIONS_PER_TURN], [[id], 5], [[], DELETIONS_PER_TURN]]);
  });

  it('stops if the store is unavailable, and begins the next run with the next account', async () => {
    const other = 'acct_zoe' as AccountId;
    await store.accounts.create(anAccount({ id: other, email: 'zoe@example.test' }), SYSTEM_ACTOR);
    for (const accountId of [id, other]) await schedule(accountId, 0);
    const deleteAccount: AccountErasure['deleteAccount'] = (...act) =>
      (act[0] === id ? Promise.reject(storeRefusal(new Error('away'))) : store.erasure.deleteAccount(...act));
    const away = deletionOver({ erasure: erasureWith({ deleteAccount }) });
    await expect(away.carryOutDue()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await away.carryOutDue()).toEqual({ deleted: [other], failed: [] });
  });
});
