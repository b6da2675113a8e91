import { expect, it } from '@jest/globals';
import { later } from '@tollgate/core';
import { anEnding } from '../../builders/an-ending.js';
import { OWNER, requestId, reservationId, STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { OTHER_OWNER, progressOf, type Start } from './start-ledger.js';

/** What dead processes have left, which a sweep ends at their checkpoints. */
export function sweepContract(start: Start): void {
  it('ends the reservations of an owner whose lease ran out, at their checkpoints', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 15_000));
    await driver.reserve(1, '30', { owner: OTHER_OWNER });
    await driver.reserve(2, '30', { owner: OTHER_OWNER });
    await driver.reserve(3, '30');
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 15_000), progress: new Map([[reservationId(1), progressOf(7)]]),
    });
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 14_999))).toBe(0);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 15_000))).toBe(2);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 15_000))).toBe(0);
    expect(await driver.balance()).toBe('93/30/63');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({
      reason: 'crashed', usage: { source: 'checkpoint', visibleOutputTokens: 7 }, endedAt: later(STORE_NOON, 15_000),
    });
    expect(await driver.store.usage.find(STORE_ALICE, requestId(2))).toMatchObject({ reason: 'crashed', service: null });
  });

  it('ends more orphans than one round takes', async () => {
    const driver = await start();
    await driver.credit('1000');
    await Promise.all(Array.from({ length: 250 }, (_, number) => driver.reserve(number, '1', { owner: OTHER_OWNER })));
    expect(await driver.store.ledger.sweep(STORE_NOON)).toBe(250);
    expect(await driver.balance()).toBe('1000/0/1000');
  });

  it('counts an owner without a lease as dead, be it retired or never seen', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '10');
    await driver.reserve(2, '10', { owner: OTHER_OWNER });
    expect(await driver.store.ledger.sweep(STORE_NOON)).toBe(1);
    await driver.store.ledger.retire(OWNER);
    expect(await driver.store.ledger.sweep(STORE_NOON)).toBe(1);
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('ends a reservation at its deadline even if its owner lives', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '10', { expiresAt: later(STORE_NOON, 1000) });
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 999))).toBe(0);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 1000))).toBe(1);
  });

  it('takes no checkpoint from a process that does not own the reservation, nor for one that has ended', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '10');
    await driver.serve(2, anEnding(5));
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), progress: new Map([[reservationId(1), progressOf(7)]]),
    });
    await driver.store.ledger.checkpoint({
      ownerId: OWNER, at: STORE_NOON, leaseExpiresAt: STORE_NOON, progress: new Map([[reservationId(2), progressOf(7)]]),
    });
    await driver.store.ledger.sweep(STORE_NOON);
    expect(await driver.balance()).toBe('95/0/95');
  });
}
