import { beforeEach, expect, it } from '@jest/globals';
import { type AccountId, type Balance, type CatalogueContents, MILLISECONDS_PER_SECOND, ServiceTokens } from '@tollgate/core';
import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { testCatalogue } from '../test-support/test-catalogue.js';
import { AccountFunds } from './account-funds.js';

const CONTENTS: CatalogueContents = { ...testCatalogue(), minimumReservation: ServiceTokens.parse('1') };

let clock: ManualClock;
/** Pending balance reads in order. */
let reads: { readonly id: AccountId; readonly answer: (balance: Balance | null) => void; readonly fail: () => void }[];
let funds: AccountFunds;

beforeEach(() => {
  clock = new ManualClock();
  reads = [];
  funds = new AccountFunds({
    clock,
    catalogue: new StaticCatalogue(CONTENTS),
    ledger: {
      balanceOf: (id) => new Promise((answer, reject) => {
        reads.push({ id, answer, fail: () => reject(new Error('away')) });
      }),
    },
  });
});

function balance(posted: string, reserved = '0'): Balance {
  return { posted: ServiceTokens.parse(posted), reserved: ServiceTokens.parse(reserved) };
}

/** Answers the read; resolves with the result. */
async function askOnce(id: string, answer: Balance | null): Promise<boolean> {
  const told = new Promise<boolean>((resolve) => {
    funds.ask(id as AccountId, resolve);
  });
  reads.shift()?.answer(answer);
  return told;
}

it('an account has funds if its available balance covers the smallest reservation', async () => {
  expect(await askOnce('one', balance('1'))).toBe(true);
  expect(await askOnce('two', balance('0.999999'))).toBe(false);
  expect(await askOnce('three', balance('5', '4.5'))).toBe(false);
  expect(await askOnce('none', null)).toBe(false);
});

it('whether an account has funds is remembered for ten seconds', async () => {
  const id = 'one' as AccountId;
  expect(funds.known(id)).toBeNull();
  await askOnce(id, balance('1'));
  clock.advance(10 * MILLISECONDS_PER_SECOND - 1);
  expect(funds.known(id)).toBe(true);
  clock.advance(1);
  expect(funds.known(id)).toBeNull();
});

it('at most eight balances are read at once, and concurrent calls for one account share a read', async () => {
  for (let number = 0; number < 12; number += 1) {
    funds.ask(`account ${number}` as AccountId, () => undefined);
    funds.ask(`account ${number}` as AccountId, () => undefined);
  }
  expect(reads.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, (_, number) => `account ${number}`));
  reads[0]?.answer(balance('1'));
  await new Promise(setImmediate);
  expect(reads).toHaveLength(9);
});

it('funds are unknown if the balance cannot be read, and the next call reads the balance again', async () => {
  const told: boolean[] = [];
  funds.ask('one' as AccountId, (isFunded) => told.push(isFunded));
  reads.shift()?.fail();
  await new Promise(setImmediate);
  expect([told, funds.known('one' as AccountId)]).toEqual([[], null]);
  expect(await askOnce('one', balance('1'))).toBe(true);
});
