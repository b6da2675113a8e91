import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import { BrokenInvariant, type Ledger, type ReserveCommand, type ReserveOutcome, ServiceTokens, type SettleCommand, type Settlement, SettlementRefused } from '@tollgate/core';
import { anEnding, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { PROBE_MILLISECONDS, TRIAL_MILLISECONDS } from './outbox-health.js';
import { OUTBOX_RETRY_MILLISECONDS, OutboxLedger } from './outbox-ledger.js';
import { SILENT_OUTBOX_REPORT } from './outbox-report.js';

describe('an outbox whose file cannot be written', () => {
  let folder: string;
  let file: string;
  let store: MemoryStore;
  let clock: ManualClock;
  let outbox: OutboxLedger;
  let driver: StoreDriver;
  let told: string[];
  /** The ledger fails every settlement with this error; `null` if it accepts settlements. */
  let failure: Error | null;
  let reservationsTried: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
    file = join(folder, 'outbox');
    clock = new ManualClock(STORE_NOON);
    store = createMemoryStore();
    [told, failure, reservationsTried] = [[], null, 0];
    const settle = (command: SettleCommand): Promise<Settlement> => (failure === null ? store.ledger.settle(command) : Promise.reject(failure));
    const reserve = (command: ReserveCommand): Promise<ReserveOutcome> => {
      reservationsTried += 1;
      return store.ledger.reserve(command);
    };
    const ledger = new Proxy<Ledger>(store.ledger, {
      get: (target, property) => {
        if (property === 'settle') return settle;
        if (property === 'reserve') return reserve;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) as unknown : value;
      },
    });
    const report = { ...SILENT_OUTBOX_REPORT, fileFailing: () => void told.push('fails'), fileWorks: () => void told.push('works') };
    outbox = await OutboxLedger.open({ ledger, file, clock, report });
    driver = await StoreDriver.start(() => ({ ...store, ledger: outbox }));
    await driver.credit('1000');
    for (const number of [1, 2, 3]) await driver.reserve(number, '10');
    reservationsTried = 0;
    mkdirSync(file);
  });

  afterEach(async () => {
    failure = null;
    await outbox.close();
    rmSync(folder, { recursive: true });
  });

  function settleOf(number: number): Promise<Settlement> {
    const hold = { facts: requestFacts({ requestId: requestId(number), accountId: STORE_ALICE }), amount: ServiceTokens.parse('10') };
    return outbox.settle({ reservationId: reservationId(number), ending: anEnding(3), hold });
  }

  async function loseOne(): Promise<void> {
    failure = new Error('the ledger is away');
    await expect(settleOf(1)).rejects.toBeInstanceOf(SettlementRefused);
  }

  const reserveOf = (number: number): Promise<unknown> => driver.reserve(number, '10');
  const refusal = { code: 'service_unavailable' };

  it('refuses reservations and extensions without asking the ledger, while the ledger accepts no settlements either', async () => {
    await loseOne();
    for (let attempt = 0; attempt < 5; attempt += 1) await expect(reserveOf(4)).rejects.toMatchObject(refusal);
    await expect(outbox.extend(reservationId(2), ServiceTokens.parse('1'))).rejects.toMatchObject(refusal);
    expect([reservationsTried, outbox.isRefusing, outbox.isFailing, told]).toEqual([0, true, true, ['fails']]);
  });

  it('refuses no reservation, and is reported once, while the ledger accepts settlements', async () => {
    await loseOne();
    failure = null;
    clock.advance(OUTBOX_RETRY_MILLISECONDS);
    await outbox.deliver();
    await settleOf(2);
    await reserveOf(4);
    expect([reservationsTried, outbox.isRefusing, outbox.isFailing, told]).toEqual([1, false, true, ['fails']]);
  });

  it('refuses no reservation after the ledger rejects an invalid settlement, which shows that the ledger answers', async () => {
    await loseOne();
    failure = new BrokenInvariant('only a reservation that was made is settled');
    await expect(settleOf(2)).rejects.toBe(failure);
    await reserveOf(4);
    expect(reservationsTried).toBe(1);
  });

  it('tries the file every 100 ms while it refuses reservations, and accepts settlements once the file is writable', async () => {
    await loseOne();
    const before = clock.pendingTasks;
    for (let attempt = 0; attempt < 5; attempt += 1) await expect(reserveOf(4)).rejects.toMatchObject(refusal);
    expect(clock.pendingTasks).toBe(before + 1);
    rmSync(file, { recursive: true });
    await expect(reserveOf(4)).rejects.toMatchObject(refusal);
    clock.advance(PROBE_MILLISECONDS);
    await until(() => told.length === 2);
    await reserveOf(4);
    expect([reservationsTried, outbox.isFailing, told]).toEqual([1, false, ['fails', 'works']]);
    expect((await settleOf(2)).balance).toBeNull();
  });

  it('tries the file every second while it refuses no reservation, until the file is writable', async () => {
    await loseOne();
    failure = null;
    clock.advance(OUTBOX_RETRY_MILLISECONDS);
    await outbox.deliver();
    expect([outbox.waiting, outbox.isFailing, clock.pendingTasks]).toEqual([0, true, 1]);
    rmSync(file, { recursive: true });
    clock.advance(OUTBOX_RETRY_MILLISECONDS);
    await outbox.deliver();
    expect([outbox.isFailing, clock.pendingTasks, told]).toEqual([false, 0, ['fails', 'works']]);
  });

  it('admits one reservation every ten seconds, so that one undeliverable settlement does not block all reservations', async () => {
    await loseOne();
    clock.advance(TRIAL_MILLISECONDS);
    await reserveOf(4);
    await expect(reserveOf(5)).rejects.toMatchObject(refusal);
    expect(reservationsTried).toBe(1);
  });
});
