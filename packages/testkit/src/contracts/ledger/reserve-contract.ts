import { expect, it } from '@jest/globals';
import { type AccountId, type ReserveOutcome, ServiceTokens } from '@tollgate/core';
import { anEnding } from '../../builders.js';
import { ONE_MICRO_TOKEN, receiptOf, reservationId, type StartStore, type StoreDriver } from '../store-subject.js';

function setAside(amount: string): ReserveOutcome {
  return { outcome: 'reserved', amount: ServiceTokens.parse(amount) };
}

/** What 200 reservations of 2 that are asked for at the same time and take no less than 0.5 come to, with so much on the account. */
async function rush(driver: StoreDriver, credit: string): Promise<readonly string[]> {
  await driver.credit(credit);
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '2', { floor: '0.5' })));
  return outcomes.flatMap((outcome) => (outcome.outcome === 'reserved' ? [outcome.amount.toString()] : []));
}

/** Reservations: never more than what is available, and each once. */
export function reserveContract(start: StartStore): void {
  it('reserves up to the last micro-token, and says what is available when it is not enough', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '10')).toEqual(setAside('10'));
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
    expect(await driver.reserve(1, '6')).toEqual(setAside('6'));
    expect(await driver.balance()).toBe('10/6/4');
    await driver.settle(1, anEnding(1));
    expect(await driver.reserve(1, '6')).toEqual(setAside('6'));
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('sets aside what is available where that covers the floor and not the amount, and settles it like any other', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '20', { floor: '10' })).toEqual(setAside('10'));
    expect(await driver.balance()).toBe('10/10/0');
    await driver.settle(1, anEnding(7));
    expect(await driver.balance()).toBe('3/0/3');
    expect(await driver.reserve(2, '20', { floor: '2.999999' })).toEqual(setAside('3'));
    await driver.settle(2, anEnding(9));
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('sets nothing aside where the floor exceeds what is available by one micro-token', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '20', { floor: '10.000001' })).toEqual({ outcome: 'insufficient', available: ServiceTokens.parse('10') });
    expect(await driver.balance()).toBe('10/0/10');
  });

  it('serves exactly eight of 200 simultaneous requests when the rest beside seven covers the floor', async () => {
    const driver = await start();
    expect(await rush(driver, '14.5')).toEqual(['2', '2', '2', '2', '2', '2', '2', '0.5']);
    expect(await driver.balance()).toBe('14.5/14.5/0');
  });

  it('serves exactly seven of 200 simultaneous requests when the rest beside seven is one micro-token below the floor', async () => {
    const driver = await start();
    expect(await rush(driver, '14.499999')).toEqual(['2', '2', '2', '2', '2', '2', '2']);
    expect(await driver.balance()).toBe('14.499999/14/0.499999');
  });

  it('answers a repeated reservation with what is set aside for it, though more is available by then', async () => {
    const driver = await start();
    await driver.credit('5');
    expect(await driver.reserve(1, '9', { floor: '1' })).toEqual(setAside('5'));
    await driver.credit('50');
    expect(await driver.reserve(1, '9', { floor: '1' })).toEqual(setAside('5'));
    expect(await driver.balance()).toBe('55/5/50');
  });

  it('extends what was set aside in part, and charges no more than both', async () => {
    const driver = await start();
    await driver.credit('5');
    await driver.reserve(1, '9', { floor: '1' });
    await driver.credit('2');
    expect((await driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('2'))).outcome).toBe('reserved');
    expect(receiptOf(await driver.settle(1, anEnding(8)))).toEqual(['7', expect.any(String), '1']);
    expect(await driver.balance()).toBe('0/0/0');
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
