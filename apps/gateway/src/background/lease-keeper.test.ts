import { describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { type ProcessId, RunningGenerations } from '@tollgate/core';
import { STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { LEASE_MILLISECONDS, LEASE_RENEWAL_MILLISECONDS, LeaseKeeper } from './lease-keeper.js';

const PROCESS = 'process_kept' as ProcessId;
const RENEWALS = 2 * LEASE_MILLISECONDS / LEASE_RENEWAL_MILLISECONDS;

describe('LeaseKeeper', () => {
  it('keeps what its process holds from being swept, from its start until it is stopped', async () => {
    const [clock, store] = [new ManualClock(STORE_NOON), createMemoryStore()];
    const { ledger } = store;
    const driver = await StoreDriver.start(() => store);
    await driver.credit('100');
    const keeper = new LeaseKeeper({ ledger, running: new RunningGenerations(), processId: PROCESS, clock, log: createLog('silent', { write: () => undefined }) });
    await keeper.start();
    await driver.reserve(1, '10', { owner: PROCESS });
    for (let renewal = 0; renewal < RENEWALS; renewal += 1) {
      await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
      expect(await ledger.sweep(clock.now())).toBe(0);
    }
    expect(await driver.balance()).toBe('100/10/90');
    await keeper.stop();
    expect(await ledger.sweep(clock.now())).toBe(1);
    expect(clock.pendingTasks).toBe(0);
  });
});
