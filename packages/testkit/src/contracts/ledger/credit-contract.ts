import { expect, it } from '@jest/globals';
import { type AccountId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { STORE_ALICE, STORE_BOB, STORE_NOON, type StoreSubject } from '../store-subject.js';
import type { Start } from './start-ledger.js';

/** Credits, and the balances that they make. */
export function creditContract(start: Start): void {
  function creditOf(accountId: AccountId, amount: string, reference: string): Parameters<StoreSubject['ledger']['credit']>[0] {
    return { accountId, amount: ServiceTokens.parse(amount), reference, actor: SYSTEM_ACTOR, at: STORE_NOON };
  }

  it('knows no balance of an account that does not exist, and none yet of a new one', async () => {
    const driver = await start();
    expect(await driver.store.ledger.balanceOf('acct_nobody' as AccountId)).toBeNull();
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('credits once per account and reference, however often it is sent', async () => {
    const { ledger } = (await start()).store;
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ledger.credit(creditOf(STORE_ALICE, '12.5', 'invoice 1'))));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'repeated', 'repeated', 'repeated', 'repeated']);
    expect((await ledger.credit(creditOf(STORE_BOB, '12.5', 'invoice 1'))).outcome).toBe('credited');
    expect((await ledger.balanceOf(STORE_ALICE))?.posted.toString()).toBe('12.5');
  });

  it.each([
    ['another amount under a used reference', STORE_ALICE, '13', 'reference-used-for-another-amount'],
    ['an account that does not exist', 'acct_nobody' as AccountId, '12', 'no-such-account'],
  ])('refuses %s and changes nothing', async (_, accountId, amount, outcome) => {
    const driver = await start();
    await driver.store.ledger.credit(creditOf(STORE_ALICE, '12', 'invoice 1'));
    expect(await driver.store.ledger.credit(creditOf(accountId, amount, 'invoice 1'))).toEqual({ outcome });
    expect(await driver.balance()).toBe('12/0/12');
  });

  it('keeps amounts exact beyond 2^53 micro-tokens', async () => {
    const driver = await start();
    await driver.credit('98765432109.123457');
    await driver.reserve(1, '98765432109.123456');
    expect(await driver.balance()).toBe('98765432109.123457/98765432109.123456/0.000001');
  });
}
