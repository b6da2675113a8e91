import { afterEach, describe, expect, it } from '@jest/globals';
import { type AccountId, ServiceTokens, type StatementStep, type StatementVerification, SYSTEM_ACTOR, verifyAllStatements } from '@tollgate/core';
import { OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { afterMonth, anAccount, anEnding, makeStatements, requestId, STORE_ALICE, STORE_BOB, statedAt, statementHistoryContract, statementsContract, statementsOf, StoreDriver, type StatementsSubject } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { damageSqliteFile, storeFile, type StoreFile } from './test-support/stores.js';

async function openTwo(place: StoreFile = storeFile()): Promise<StatementsSubject> {
  const [store, other] = [await place.open(), await place.open(OTHER_PROCESS)];
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
    place.remove();
  };
  return { ...store, other, close };
}

statementsContract('SQLite file', openTwo);
statementHistoryContract('SQLite file', openTwo, 3);

it('makes no statement of a month that cannot be read, and includes the month in the account’s next statement', async () => {
  const place = storeFile();
  let store = await place.open();
  await StoreDriver.start(() => store);
  const credit = (accountId: AccountId, month: number) => store.ledger.credit({ accountId, amount: ServiceTokens.parse('5'), reference: `${accountId} ${month}`, actor: SYSTEM_ACTOR, at: statedAt(month, 1) });
  /** An amount that is no whole number of units cannot be read. */
  const setAmount = (units: string): string => `update ledger_entries set amount = ${units} where reference = '${STORE_ALICE} 3'`;
  for (const account of [STORE_BOB, STORE_ALICE]) await credit(account, 3);
  await store.close();
  damageSqliteFile(place.file, setAmount('5000000.5'));
  store = await place.open();
  const made = await makeStatements(store.statements, afterMonth(3));
  expect([made, made.failures.map(String)]).toMatchObject([{ made: 1, outcome: 'done' }, [`Error: the statement of ${STORE_ALICE} for 2026-03 could not be made`]]);
  const direct = new Database(place.file);
  direct.exec(setAmount('5000000'));
  direct.close();
  await credit(STORE_ALICE, 4);
  expect(await makeStatements(store.statements, afterMonth(4))).toEqual({ made: 2, outcome: 'done', failures: [] });
  const { statements } = await store.statements.list({ accountId: null, month: null, before: null, limit: 10 });
  expect(statements.map(({ accountId, month, closing }) => `${accountId} ${month} ${closing}`).toSorted()).toEqual([`${STORE_ALICE} 2026-04 10`, `${STORE_BOB} 2026-03 5`, `${STORE_BOB} 2026-04 5`]);
  expect((await verifyAllStatements(store.statements)).differences).toEqual([]);
  await store.close();
  place.remove();
});

describe('accounts whose months cannot be read', () => {
  let place: StoreFile;

  afterEach(() => place.remove());

  /** Makes the statements of March, although the ledger entries of some accounts are unreadable. Of each run: what it made, or its error. */
  async function runs(accounts: readonly string[], unreadable: readonly string[], count = 1): Promise<readonly unknown[]> {
    place = storeFile();
    let store = await place.open();
    for (const id of accounts) {
      await store.accounts.create(anAccount({ id: id as AccountId, email: `${id}@example.test` }), SYSTEM_ACTOR);
      if (!id.startsWith('idle')) await store.ledger.credit({ accountId: id as AccountId, amount: ServiceTokens.parse('5'), reference: id, actor: SYSTEM_ACTOR, at: statedAt(3, 1) });
    }
    await store.close();
    damageSqliteFile(place.file, unreadable.map((id) => `update ledger_entries set amount = 5000000.5 where reference = '${id}';`).join(''));
    store = await place.open();
    const outcomes: unknown[] = [];
    for (let run = 0; run < count; run += 1) {
      const [{ value, reason }] = await Promise.allSettled([makeStatements(store.statements, afterMonth(3))]) as [{ value?: StatementStep; reason?: unknown }];
      outcomes.push(value === undefined ? String(reason) : [value.made, value.outcome, value.failures.map(String)]);
    }
    await store.close();
    return outcomes;
  }

  const failureOf = (id: string): string => `Error: the statement of ${id} for 2026-03 could not be made`;

  it('are skipped if the next account that needs a statement can be read', async () => {
    expect(await runs(['a', 'b', 'idle', 'j', 'k'], ['a', 'j'])).toEqual([[2, 'done', ['a', 'j'].map(failureOf)]]);
  });

  it('are skipped if they are the last accounts that need a statement', async () => {
    expect(await runs(['a', 'b', 'idle'], ['b'])).toEqual([[1, 'done', [failureOf('b')]]]);
  });

  it('stop the run if two follow each other, even with idle accounts in between, after all earlier statements are made', async () => {
    expect(await runs(['a', 'b', 'idle', 'idle2', 'j', 'k'], ['b', 'j'], 2)).toEqual([failureOf('b'), failureOf('b')]);
    const store = await place.open();
    const { statements } = await store.statements.list({ accountId: null, month: null, before: null, limit: 10 });
    await store.close();
    expect(statements.map(({ accountId }) => accountId)).toEqual(['a']);
  });

  it('are reported even if the run cannot release its claim', async () => {
    await runs(['a', 'b'], [], 0);
    damageSqliteFile(place.file, `update ledger_entries set amount = 5000000.5 where reference = 'a';
      create trigger held before update on statement_state when new.claimed_until = 0 and new.after_account <> '' begin select raise(abort, 'held'); end`);
    const store = await place.open();
    const step = await statementsOf(store.statements, afterMonth(3)).makeSome();
    await store.close();
    expect([step.outcome, step.failures.map(String)]).toEqual(['more', [failureOf('a')]]);
  });

  it('are skipped if no other account needs a statement', async () => {
    expect(await runs(['a', 'idle'], ['a'])).toEqual([[0, 'done', [failureOf('a')]]]);
  });
});

describe('verifyAllStatements', () => {
  let place: StoreFile;

  afterEach(() => place.remove());

  /** Issues the statements of two months for Alice, and books entries of a third month. */
  async function stated(): Promise<void> {
    place = storeFile();
    const store = await place.open();
    const driver = await StoreDriver.start(() => store);
    await store.ledger.credit({ accountId: STORE_ALICE, amount: ServiceTokens.parse('100'), reference: 'a', actor: SYSTEM_ACTOR, at: statedAt(3, 1) });
    await driver.serve(1, anEnding(10, { endedAt: statedAt(3, 2) }));
    await driver.serve(2, anEnding(5, { endedAt: statedAt(4, 2) }));
    await driver.serve(3, anEnding(2, { endedAt: statedAt(5, 2) }));
    await makeStatements(store.statements, afterMonth(4));
    await driver.close();
  }

  async function verified(statements: string): Promise<StatementVerification> {
    await stated();
    if (statements !== '') damageSqliteFile(place.file, statements);
    const store = await place.open();
    try {
      return await verifyAllStatements(store.statements);
    } finally {
      await store.close();
    }
  }

  it('finds no fault if the books are unchanged', async () => {
    expect(await verified('')).toEqual({ accounts: 2, statements: 2, differences: [] });
  });

  it.each<[string, string, readonly string[]]>([
    ['a changed total', `update statements set document = replace(document, '"kind":"top-up","entries":1,"svc_tokens":"100"', '"kind":"top-up","entries":1,"svc_tokens":"90"') where number = 1`, [
      'its opening balance and totals do not add up to its closing balance', 'its entries of kind top-up do not add up to their total', 'it differs from the ledger',
    ]],
    ['a changed line', `update statements set document = replace(document, '"model":"small"', '"model":"other"') where number = 1`, ['it differs from the ledger']],
    ['a changed closing balance', 'update statements set closing = 89000000 where number = 1', [
      'its balances differ from those of its row', 'it opens with 90, the one before closed with 89', 'it differs from the ledger',
    ]],
    ['a changed charge in the ledger', `update ledger_entries set amount = amount - 1000000 where request_id = '${requestId(1)}'`, [
      'it differs from the ledger', 'the statements and the entries after them add up to 83, the balance is 83',
    ].slice(0, 1)],
    ['a removed charge in the ledger', `delete from ledger_entries where request_id = '${requestId(2)}'`, ['it differs from the ledger']],
    ['a removed charge that is in no statement yet', `delete from ledger_entries where request_id = '${requestId(3)}'`, ['the statements and the entries after them add up to 85, the balance is 83']],
    ['a changed statement number', 'update statements set number = 7 where number = 2', [
      'there are 2 statements, the newest has number 7, and 2 numbers were given', 'its number or account differs from those of its row',
    ]],
  ])('finds %s', async (_, statements, faults) => {
    expect((await verified(statements)).differences.map(({ fault }) => fault)).toEqual(faults);
  });

  it('finds a removed statement', async () => {
    const { differences } = await verified('pragma foreign_keys = off; delete from statements where number = 1');
    expect(differences.map(({ fault }) => fault)).toEqual([
      'there are 1 statements, the newest has number 2, and 2 numbers were given', 'it opens with 90, the one before closed with 0', 'it differs from the ledger',
    ]);
  });
});
