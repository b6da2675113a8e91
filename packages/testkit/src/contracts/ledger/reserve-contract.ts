import { expect, it } from '@jest/globals';
import { type AccountId, ServiceTokens } from '@tollgate/core';
import { anEnding } from '../../builders/an-ending.js';
import { ONE_MICRO_TOKEN, type Start } from './start-ledger.js';

/** Reservations: never more than what is available, and each once. */
export function reserveContract(start: Start): void {
  it('reserves up to the last micro-token, and says what is available when it is not enough', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '10')).toEqual({ outcome: 'reserved' });
    expect(await driver.reserve(2, ONE_MICRO_TOKEN)).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('10/10/0');
  });

  it('serves exactly seven of 200 simultaneous requests when the balance is worth seven', async () => {
    const driver = await start();
    await driver.credit('14');
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '2')));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(outcomes.filter(({ outcome }) => outcome === 'insufficient')).toHaveLength(193);
    expect(await driver.balance()).toBe('14/14/0');
  });

  it('lets a small request through beside one that is too large', async () => {
    const driver = await start();
    await driver.credit('10');
    const outcomes = await Promise.all([driver.reserve(1, '4'), driver.reserve(2, '7'), driver.reserve(3, '6')]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['reserved', 'insufficient', 'reserved']);
  });

  it('reserves once when a reservation is repeated, also after its end', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.reserve(1, '6');
    expect(await driver.reserve(1, '6')).toEqual({ outcome: 'reserved' });
    expect(await driver.balance()).toBe('10/6/4');
    await driver.settle(1, anEnding(1));
    expect(await driver.reserve(1, '6')).toEqual({ outcome: 'reserved' });
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('has nothing to reserve on an account that does not exist', async () => {
    const driver = await start();
    const outcome = await driver.reserve(1, '1', { facts: { accountId: 'acct_nobody' as AccountId } });
    expect(outcome).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
  });

  it('refuses an amount that no balance can reach', async () => {
    const driver = await start();
    await driver.credit('10');
    expect((await driver.reserve(1, '999999999999999')).outcome).toBe('insufficient');
  });
}
