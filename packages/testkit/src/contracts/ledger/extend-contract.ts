import { expect, it } from '@jest/globals';
import { type ReservationId, ServiceTokens } from '@tollgate/core';
import { anEnding } from '../../builders/an-ending.js';
import { reservationId } from '../store-subject.js';
import { ONE_MICRO_TOKEN, type Start } from './start-ledger.js';

/** Reservations that grow while their request runs. */
export function extendContract(start: Start): void {
  it('extends by what is available and not by more', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.reserve(1, '6');
    const { ledger } = driver.store;
    expect(await ledger.extend(reservationId(1), ServiceTokens.parse('4'))).toEqual({ outcome: 'reserved', amount: ServiceTokens.parse('4') });
    expect(await ledger.extend(reservationId(1), ServiceTokens.parse(ONE_MICRO_TOKEN))).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('10/10/0');
    await driver.settle(1, anEnding(9));
    expect(await driver.balance()).toBe('1/0/1');
  });

  it('throws for a reservation that is not held, and changes nothing', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.serve(1, anEnding(1));
    await expect(driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    await expect(driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('lets the operations beside a failing one take effect', async () => {
    const driver = await start();
    await driver.credit('10');
    const [first, failed, last] = await Promise.allSettled([
      driver.reserve(1, '2'), driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1')), driver.reserve(2, '3'),
    ]);
    expect([first.status, failed.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await driver.balance()).toBe('10/5/5');
  });
}
