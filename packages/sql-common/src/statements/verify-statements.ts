import {
  type AccountId, faultsOfStatement, type Instant, instant, ServiceTokens, type StatementDifference, type StatementDocument, type StatementFigures, type VerifiedStatements,
} from '@tollgate/core';
import { sql } from 'kysely';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { NOTHING_STATED, readAccountMonth, type StatedThrough } from './read-account-month.js';
import { THROUGH_COLUMNS, throughFromRow } from './statement-rows.js';

const ACCOUNTS_AT_A_TIME = 50;
/** Later than any month's end. */
const END_OF_TIME: Instant = instant(8_640_000_000_000_000);

interface StatedRow {
  readonly number: bigint;
  readonly opening: bigint;
  readonly document: string;
  readonly through: StatedThrough;
}

/** Reads one statement at a time, because documents can be long. */
function* statementAfter(queries: Queries, accountId: string, month: string): Script<{ readonly month: string; readonly row: StatedRow } | null> {
  const row = yield* firstOf(queries.selectFrom('statements').select(['number', 'month', 'opening', 'document', ...THROUGH_COLUMNS])
    .where('account_id', '=', accountId).where('month', '>', month).orderBy('month').limit(1));
  return row === null ? null : { month: row.month, row: { number: row.number, opening: row.opening, document: row.document, through: throughFromRow(row) } };
}

function textOf(figures: StatementFigures): string {
  return JSON.stringify(figures);
}

function figuresIn({ opening_balance, closing_balance, totals, charges, entries, entries_not_listed }: StatementDocument): string {
  return JSON.stringify({ opening_balance, closing_balance, totals, charges, entries, entries_not_listed });
}

/** Compares a statement with its own row, with the statement before it, and with the ledger. */
function* faultsOf(queries: Queries, accountId: AccountId, { row, previous }: { readonly row: StatedRow; readonly previous: StatedThrough }): Script<readonly string[]> {
  const document = JSON.parse(row.document) as StatementDocument;
  const faults = [...faultsOfStatement(document, previous.closing.toString())];
  const { closing, endsAt, throughEntry } = row.through;
  if (document.opening_balance !== ServiceTokens.fromUnits(row.opening).toString() || document.closing_balance !== closing.toString()) faults.push('its balances differ from those of its row');
  if (document.number !== Number(row.number) || document.account_id !== accountId) faults.push('its number or account differs from those of its row');
  const stated = figuresIn(document);
  const read = yield* readAccountMonth(queries, { accountId, previous, endsAt, visibleThrough: throughEntry }, ({ builder }) => textOf(builder.figures()) === stated);
  if (textOf(read.builder.figures()) !== stated) faults.push('it differs from the ledger');
  return faults;
}

/** Compares the account's balance with the last closing balance plus the entries that no statement contains. */
function* restFault(queries: Queries, accountId: AccountId, { last, balance }: { readonly last: StatedThrough; readonly balance: bigint }): Script<string | null> {
  const rest = yield* readAccountMonth(queries, { accountId, previous: last, endsAt: END_OF_TIME, visibleThrough: null }, (read) => read.balance.toUnits() === balance);
  if (rest.balance.toUnits() === balance) return null;
  return `the statements and the entries after them add up to ${rest.balance.toString()}, the balance is ${ServiceTokens.fromUnits(balance).toString()}`;
}

/** Verifies the statements of one account, and the entries after them. */
function* verifyAccount(queries: Queries, { id, balance }: { readonly id: string; readonly balance: bigint }): Script<Pick<VerifiedStatements, 'statements' | 'differences'>> {
  const accountId = id as AccountId;
  const differences: StatementDifference[] = [];
  let [statements, last] = [0, NOTHING_STATED];
  for (let stated = yield* statementAfter(queries, id, ''); stated !== null; stated = yield* statementAfter(queries, id, stated.month)) {
    const { row } = stated;
    const faults = yield* faultsOf(queries, accountId, { row, previous: last });
    differences.push(...faults.map((fault) => ({ accountId, number: Number(row.number), fault })));
    [statements, last] = [statements + 1, row.through];
  }
  const fault = yield* restFault(queries, accountId, { last, balance });
  return { statements, differences: fault === null ? differences : [...differences, { accountId, number: null, fault }] };
}

/** Compares the statements of the next accounts with the ledger. */
export function* verifyStatements(queries: Queries, after: AccountId | null): Script<VerifiedStatements> {
  const accounts = yield* rowsOf(queries.selectFrom('accounts').select(['id', 'balance']).where('id', '>', after ?? '').orderBy('id').limit(ACCOUNTS_AT_A_TIME));
  const differences: StatementDifference[] = [];
  let statements = 0;
  for (const account of accounts) {
    const verified = yield* verifyAccount(queries, account);
    statements += verified.statements;
    differences.push(...verified.differences);
  }
  return { accounts: accounts.length, statements, differences, last: accounts.length < ACCOUNTS_AT_A_TIME ? null : (accounts.at(-1)?.id ?? null) as AccountId | null };
}

interface NumbersRow {
  readonly count: bigint;
  readonly newest: bigint | null;
  readonly last_number: bigint;
}

/** Reports gaps. Numbers must be consecutive, from 1 to the last one assigned. */
export function* verifyStatementNumbers(queries: Queries): Script<readonly StatementDifference[]> {
  const row = yield* firstOf(compilable(queries, sql<NumbersRow>`
    select (select count(*) from statements) as count, (select max(number) from statements) as newest, last_number from statement_state`));
  if (row === null || (row.count === row.last_number && (row.newest ?? 0n) === row.last_number)) return [];
  return [{ accountId: null, number: null, fault: `there are ${row.count} statements, the newest has number ${row.newest ?? 0n}, and ${row.last_number} numbers were given` }];
}
