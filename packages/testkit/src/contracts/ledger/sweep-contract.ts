import { expect, it } from '../test-runner.js';
import { later, type ProcessId, type ReservationId, type SweptReservations, type TokenCount, tokenCount } from '@tollgate/core';
import { anEnding, outputUsage } from '../../builders/builders.js';
import { OTHER_OWNER, OWNER, progressOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_NOON, type StoreDriver } from '../store-subject.js';

/** More than one round of a sweep. */
const UNENDABLE = 120;
const ENDABLE = 130;
/** A count for which no cost can be calculated, so that a sweep cannot end the reservation. */
const PART_OF_A_TOKEN = 0.5 as TokenCount;

/** Reserves 1 for each of 250 requests of the owner; no sweep can end the first 120. Returns a function that makes them endable. */
async function reserveUnendable(driver: StoreDriver, owner: ProcessId): Promise<() => Promise<void>> {
  const reserve = (first: number, count: number): Promise<unknown> => (
    Promise.all(Array.from({ length: count }, (_, place) => driver.reserve(first + place, '1', { owner, at: STORE_NOON }))));
  const report = async (visibleOutputTokens: TokenCount): Promise<void> => {
    const progress = { ...progressOf(0), usage: outputUsage(0, { visibleOutputTokens, source: 'counted' }) };
    const unendable = new Map(Array.from({ length: UNENDABLE }, (_, number) => [reservationId(number), progress] as const));
    await driver.store.ledger.checkpoint({ ownerId: owner, progress: unendable, at: STORE_NOON, leaseExpiresAt: STORE_NOON });
  };
  await driver.credit('1000');
  await reserve(0, UNENDABLE);
  await report(PART_OF_A_TOKEN);
  await reserve(UNENDABLE, ENDABLE);
  return () => report(tokenCount(1));
}

export function sweepContract(start: StartStore): void {
  it('settles the reservations of an expired lease at their checkpoints', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 15_000));
    await driver.reserve(1, '30', { owner: OTHER_OWNER });
    await driver.reserve(2, '30', { owner: OTHER_OWNER });
    await driver.reserve(3, '30');
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 15_000), progress: new Map([[reservationId(1), progressOf(7)]]),
    });
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 14_999))).toHaveLength(0);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 15_000))).toHaveLength(2);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 15_000))).toHaveLength(0);
    expect(await driver.balance()).toBe('93/30/63');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({
      reason: 'crashed', usage: { source: 'checkpoint', visibleOutputTokens: 7 }, endedAt: later(STORE_NOON, 15_000),
    });
    expect(await driver.store.usage.find(STORE_ALICE, requestId(2))).toMatchObject({ reason: 'crashed', service: null });
  });

  it('reports which process owned the reservations that a sweep ended, and why the sweep ended them', async () => {
    const driver = await start();
    await driver.credit('100');
    expect((await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 15_000))).wasAbsent).toBe(true);
    await driver.reserve(1, '10', { owner: OTHER_OWNER });
    await driver.reserve(2, '10', { owner: OTHER_OWNER });
    await driver.reserve(3, '10', { expiresAt: later(STORE_NOON, 20_000) });
    await driver.reserve(4, '10');
    const told: SweptReservations[] = [];
    await driver.store.ledger.sweep(later(STORE_NOON, 14_999), (swept) => told.push(swept));
    expect((await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 15_000))).wasAbsent).toBe(false);
    await driver.store.ledger.sweep(later(STORE_NOON, 22_000), (swept) => told.push(swept));
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ ownerId: OTHER_OWNER, ended: 2, cause: 'lease', silentMilliseconds: 22_000 });
    expect(told).toContainEqual(expect.objectContaining({ ownerId: OWNER, ended: 1, cause: 'deadline' }));
    expect((await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 40_000))).wasAbsent).toBe(true);
  });

  it('ends all reservations of dead processes in one sweep, even if it takes several rounds', async () => {
    const driver = await start();
    await driver.credit('1000');
    await Promise.all(Array.from({ length: 250 }, (_, number) => driver.reserve(number, '1', { owner: OTHER_OWNER })));
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(250);
    expect(await driver.balance()).toBe('1000/0/1000');
  });

  it('treats an owner without a lease as dead, whether it retired or is unknown', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '10');
    await driver.reserve(2, '10', { owner: OTHER_OWNER });
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(1);
    await driver.store.ledger.retire(OWNER);
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(1);
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('sweeps only reservations that their running process has forgotten, and charges them at their checkpoints', async () => {
    const driver = await start();
    await driver.credit('1000');
    await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 60_000));
    for (const number of [1, 2, 3, 4]) await driver.reserve(number, '10', { at: STORE_NOON });
    await driver.reserve(5, '10', { at: later(STORE_NOON, 1000) });
    await driver.reserve(6, '10', { at: STORE_NOON, owner: OTHER_OWNER });
    await driver.settle(4, anEnding(5));
    await driver.store.ledger.checkpoint({ ownerId: OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 60_000), progress: new Map([[reservationId(1), progressOf(7)]]) });
    const at = later(STORE_NOON, 5000);
    const forgotten = { ownerId: OWNER, reservedBefore: later(STORE_NOON, 1000), isKnown: (id: ReservationId) => id === reservationId(3), at };
    expect(await driver.store.ledger.sweepForgotten(forgotten)).toHaveLength(2);
    expect(await driver.store.ledger.sweepForgotten(forgotten)).toHaveLength(0);
    expect(await driver.balance()).toBe('988/30/958');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ reason: 'crashed', usage: { source: 'checkpoint', visibleOutputTokens: 7 }, endedAt: at });
    expect(await driver.store.usage.find(STORE_ALICE, requestId(2))).toMatchObject({ reason: 'crashed', service: null });
  });

  it('ends all forgotten reservations in one sweep, even if it takes several rounds', async () => {
    const driver = await start();
    await driver.credit('1000');
    await Promise.all(Array.from({ length: 250 }, (_, number) => driver.reserve(number, '1', { at: STORE_NOON })));
    const at = later(STORE_NOON, 1);
    expect(await driver.store.ledger.sweepForgotten({ ownerId: OWNER, reservedBefore: at, isKnown: () => false, at })).toHaveLength(250);
    expect(await driver.balance()).toBe('1000/0/1000');
  });

  it('ends all other reservations even if a whole round of reservations cannot be ended, and reports the failure', async () => {
    const driver = await start();
    const mend = await reserveUnendable(driver, OTHER_OWNER);
    const told: SweptReservations[] = [];
    await expect(driver.store.ledger.sweep(STORE_NOON, (swept) => told.push(swept))).rejects.toThrow(RangeError);
    expect(told).toEqual([expect.objectContaining({ ownerId: OTHER_OWNER, ended: ENDABLE })]);
    expect(driver.heard.filter(({ kind }) => kind === 'sweep')).toHaveLength(ENDABLE);
    expect(await driver.balance()).toBe('1000/120/880');
    await mend();
    expect(await driver.store.ledger.sweep(STORE_NOON)).toHaveLength(UNENDABLE);
    expect(await driver.balance()).toBe('880/0/880');
  });

  it('ends all other forgotten reservations even if a whole round of them cannot be ended, and reports the failure', async () => {
    const driver = await start();
    const mend = await reserveUnendable(driver, OWNER);
    const at = later(STORE_NOON, 1);
    const forgotten = { ownerId: OWNER, reservedBefore: at, isKnown: () => false, at };
    await expect(driver.store.ledger.sweepForgotten(forgotten)).rejects.toThrow(RangeError);
    expect(driver.heard.filter(({ kind }) => kind === 'sweep')).toHaveLength(ENDABLE);
    await mend();
    expect(await driver.store.ledger.sweepForgotten(forgotten)).toHaveLength(UNENDABLE);
    expect(await driver.balance()).toBe('880/0/880');
  });

  it('ends a reservation at its deadline even if its owner is alive', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '10', { expiresAt: later(STORE_NOON, 1000) });
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 999))).toHaveLength(0);
    expect(await driver.store.ledger.sweep(later(STORE_NOON, 1000))).toHaveLength(1);
  });

  it('keeps a reservation beyond its deadline if its owner prolongs it, until its owner dies', async () => {
    const driver = await start();
    await driver.credit('1000');
    await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 60_000));
    const deadline = later(STORE_NOON, 1000);
    for (const number of [1, 2, 3]) await driver.reserve(number, '10', { expiresAt: deadline });
    await driver.reserve(4, '10', { expiresAt: later(STORE_NOON, 9000) });
    await driver.reserve(5, '10', { owner: OTHER_OWNER, expiresAt: deadline });
    await driver.settle(3, anEnding(5));
    const many = Array.from({ length: 600 }, (_, number) => reservationId(number + 1000));
    const prolong = (ownerId: ProcessId, ids: readonly ReservationId[]): Promise<void> =>
      driver.store.ledger.prolong({ ownerId, reservations: ids, at: later(STORE_NOON, 500), expiresAt: later(STORE_NOON, 5000) });
    await prolong(OWNER, [...many, reservationId(1), reservationId(3), reservationId(4), reservationId(5)]);
    await prolong(OTHER_OWNER, [reservationId(2)]);
    const sweptAt = async (milliseconds: number): Promise<readonly string[]> => (await driver.store.ledger.sweep(later(STORE_NOON, milliseconds))).map(({ reference }) => reference ?? '').toSorted();
    expect(await sweptAt(1000)).toEqual([reservationId(2), reservationId(5)]);
    expect([await sweptAt(4999), await sweptAt(5000)]).toEqual([[], [reservationId(1)]]);
    await driver.store.ledger.retire(OWNER);
    await driver.renewLease(OTHER_OWNER, later(STORE_NOON, 60_000));
    expect(await driver.balance()).toBe('995/10/985');
  });

  it('ignores a checkpoint of another process, or of an ended reservation', async () => {
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
