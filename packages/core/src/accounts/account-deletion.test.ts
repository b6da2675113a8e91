import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import {
  AccountDeletion, type AccountDeletionPorts, type AccountId, AccountStandings, type Actor, GATEWAY_ORIGIN, MILLISECONDS_PER_DAY, ServiceTokens, SYSTEM_ACTOR,
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

  it('carries out what is due, and nothing before', async () => {
    await schedule(id, MILLISECONDS_PER_DAY);
    clock.advance(MILLISECONDS_PER_DAY - 1);
    expect(await deletion.carryOutDue()).toEqual([]);
    expect(await deletion.carryOut(id, SYSTEM_ACTOR)).toMatchObject({ outcome: 'refused', code: 'conflict' });
    clock.advance(1);
    expect(await deletion.carryOutDue()).toEqual([id]);
    expect(await deletion.carryOutDue()).toEqual([]);
    expect((await store.accounts.findById(id))?.status).toBe('deleted');
  });

  it('does not wait when an operator does not, and refuses owners, accounts in use and unknown ones', async () => {
    expect(await deletion.carryOut(id, OPERATOR)).toMatchObject({ outcome: 'refused', code: 'conflict' });
    await schedule(id, MILLISECONDS_PER_DAY);
    expect(await deletion.carryOut(id, OWNER)).toMatchObject({ outcome: 'refused', code: 'not_found' });
    expect(await deletion.carryOut(id, OPERATOR)).toEqual({ outcome: 'deleted', forfeited: ServiceTokens.parse('3') });
    expect(await deletion.carryOut(id, OPERATOR)).toEqual({ outcome: 'deleted-already' });
    expect(await deletion.carryOut('acct_none' as AccountId, OPERATOR)).toEqual({ outcome: 'no-such-account' });
  });

  it('goes on after a process that died between the deletion and what it left', async () => {
    await schedule(id, 0);
    const { erasure } = store;
    const killed = deletionOver({
      erasure: {
        dueForDeletion: (...query) => erasure.dueForDeletion(...query),
        deleteAccount: (...act) => erasure.deleteAccount(...act),
        eraseLeftovers: () => Promise.reject(new Error('killed')),
      },
    });
    await expect(killed.carryOutDue()).rejects.toThrow('killed');
    expect(await erasure.dueForDeletion(clock.now(), 10)).toEqual([id]);
    expect(await deletion.carryOutDue()).toEqual([]);
    expect(await erasure.dueForDeletion(clock.now(), 10)).toEqual([]);
  });
});
