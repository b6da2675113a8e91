import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { type AccountId, type LeaseRenewal, type Ledger, later, type ProcessId, RunningGenerations, StoreLost, storeRefusal, type TokenCount } from '@tollgate/core';
import { aKeptResponse, progressOf, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { LEASE_MILLISECONDS, LEASE_RENEWAL_MILLISECONDS, LeaseKeeper } from './lease-keeper.js';
import { ResponseSweeper } from './response-sweeper.js';
import { SWEEP_MILLISECONDS, SweepRunner } from './sweep-runner.js';

const PROCESS = 'process_kept' as ProcessId;
const renewed = (): Promise<LeaseRenewal> => Promise.resolve({ wasAbsent: false, clockAheadMilliseconds: null });
const money = { isFailing: false };
const RENEWALS = 2 * LEASE_MILLISECONDS / LEASE_RENEWAL_MILLISECONDS;

describe('LeaseKeeper', () => {
  it('protects the reservations of its process from the sweeper until it is stopped', async () => {
    const [clock, store] = [new ManualClock(STORE_NOON), createMemoryStore()];
    const { ledger } = store;
    const driver = await StoreDriver.start(() => store);
    await driver.credit('100');
    const keeper = new LeaseKeeper({ ledger, money, running: new RunningGenerations(), processId: PROCESS, clock, log: createLog('silent', { write: () => undefined }) });
    await keeper.start();
    await driver.reserve(1, '10', { owner: PROCESS });
    for (let renewal = 0; renewal < RENEWALS; renewal += 1) {
      await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
      expect(await ledger.sweep(clock.now())).toHaveLength(0);
    }
    expect(await driver.balance()).toBe('100/10/90');
    await keeper.stop();
    expect(await ledger.sweep(clock.now())).toHaveLength(1);
    expect(clock.pendingTasks).toBe(0);
  });

  describe('when the lease cannot be renewed', () => {
    let clock: ManualClock;
    let logged: { readonly level: number; readonly msg: string; readonly [fact: string]: unknown }[];
    let renewal: () => Promise<LeaseRenewal>;
    let keeper: LeaseKeeper;

    beforeEach(async () => {
      clock = new ManualClock(STORE_NOON);
      logged = [];
      renewal = renewed;
      const ledger: Ledger = Object.assign(Object.create(createMemoryStore().ledger) as Ledger, { checkpoint: () => renewal() });
      const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as { level: number; msg: string }) });
      keeper = new LeaseKeeper({ ledger, money, running: new RunningGenerations(), processId: PROCESS, clock, log });
      await keeper.start();
    });

    async function renewals(count: number, outcome: () => Promise<LeaseRenewal>): Promise<string> {
      renewal = outcome;
      for (let turn = 0; turn < count; turn += 1) await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
      return keeper.storeState;
    }

    const failing = (message: string) => (): Promise<never> => Promise.reject(new Error(message));

    it('reports the store as unavailable after a failed renewal and as available after the next success', async () => {
      expect(await renewals(1, renewed)).toBe('ok');
      expect(await renewals(1, failing('away'))).toBe('unavailable');
      expect(await renewals(1, () => Promise.reject(storeRefusal(new StoreLost('the file was deleted'))))).toBe('lost');
      expect(await renewals(1, renewed)).toBe('ok');
    });

    it('reports the store as unavailable when a renewal takes longer than the lease', async () => {
      const never = (): Promise<LeaseRenewal> => new Promise(() => undefined);
      expect(await renewals(2, never)).toBe('ok');
      expect(await renewals(1, never)).toBe('unavailable');
    });

    it('logs each cause once, and the recovery', async () => {
      await renewals(3, failing('away'));
      await renewals(2, () => Promise.reject(storeRefusal(new StoreLost('the file was deleted'))));
      await renewals(2, renewed);
      expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
        [50, 'the process lease could not be renewed; the gateway retries'],
        [60, 'the database is lost: the file was deleted. New requests are refused with 503'],
        [30, 'the process lease is renewed again'],
      ]);
    });

    it('logs once that another process took this one for dead, with the silent time and the clock difference', async () => {
      await renewals(3, failing('away'));
      await renewals(1, () => Promise.resolve({ wasAbsent: true, clockAheadMilliseconds: -12_000 }));
      await renewals(2, renewed);
      expect(logged.filter(({ level }) => level === 50).slice(1)).toEqual([
        expect.objectContaining({ process: PROCESS, silentSeconds: 20, clockAheadMilliseconds: -12_000, msg: expect.stringContaining('another process ended its requests') }),
      ]);
    });
  });
});

describe('SweepRunner', () => {
  it('logs that a lease was not renewed and for how long, without calling the process dead', async () => {
    const [clock, store] = [new ManualClock(STORE_NOON), createMemoryStore()];
    const logged: Record<string, unknown>[] = [];
    const driver = await StoreDriver.start(() => store);
    await driver.credit('100');
    await driver.renewLease(PROCESS, later(STORE_NOON, LEASE_MILLISECONDS));
    await driver.reserve(1, '10', { owner: PROCESS });
    await driver.reserve(2, '10', { owner: 'process_unknown' as ProcessId });
    await clock.advanceAsync(22_000);
    await new SweepRunner({ ...store, clock, log: createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) }) }).runOnce();
    const msg = 'ended the reservations of a process whose lease was not renewed';
    expect(logged).toEqual([
      expect.objectContaining({ level: 40, process: PROCESS, ended: 1, silentSeconds: 22, msg }),
      expect.objectContaining({ level: 40, process: 'process_unknown', ended: 1, silentSeconds: null, msg }),
    ]);
  });

  it('frees the idempotency keys of dead processes even if a reservation cannot be ended; the failure is logged', async () => {
    const [clock, store] = [new ManualClock(STORE_NOON), createMemoryStore()];
    const logged: Record<string, unknown>[] = [];
    const driver = await StoreDriver.start(() => store);
    await driver.credit('100');
    await driver.reserve(1, '10', { owner: PROCESS });
    const { service, usage } = progressOf(0);
    const progress = new Map([[reservationId(1), { service, usage: { ...usage, visibleOutputTokens: 0.5 as TokenCount } }]]);
    await store.ledger.checkpoint({ ownerId: PROCESS, progress, at: STORE_NOON, leaseExpiresAt: STORE_NOON });
    const claim = { accountId: STORE_ALICE, key: 'once', ownerId: PROCESS, fingerprint: 'f', at: STORE_NOON, expiresAt: later(STORE_NOON, LEASE_MILLISECONDS) };
    await store.idempotency.claim({ ...claim, requestId: requestId(1) });
    await new SweepRunner({ ...store, clock, log: createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) }) }).runOnce();
    expect(await store.idempotency.claim({ ...claim, requestId: requestId(2) })).toMatchObject({ outcome: 'claimed' });
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'orphaned reservations could not be swept' })]);
  });
});

describe('ResponseSweeper', () => {
  it('removes all expired responses in one run, and no others', async () => {
    const [clock, store, log] = [new ManualClock(STORE_NOON), createMemoryStore(), createLog('silent', { write: () => undefined })];
    const expiresAt = later(STORE_NOON, SWEEP_MILLISECONDS);
    for (const account of ['a', 'b', 'c']) {
      for (let number = 0; number < 400; number += 1) await store.responses.keep(aKeptResponse(number, { accountId: `acct_${account}` as AccountId, expiresAt }));
    }
    await store.responses.keep(aKeptResponse(1));
    const runner = new ResponseSweeper({ ...store, clock, log });
    runner.start();
    expect(await store.responses.find('acct_a' as AccountId, 'resp_0', clock.now())).not.toBeNull();
    await clock.advanceAsync(SWEEP_MILLISECONDS);
    await runner.stop();
    expect(await store.responses.sweep(expiresAt)).toBe(0);
    expect(await store.responses.find(aKeptResponse(1).accountId, 'resp_1', expiresAt)).not.toBeNull();
  });
});
