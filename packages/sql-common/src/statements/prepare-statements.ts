import { type AccountId, type Instant, portionsOf, type StatementFigures, type StatementNames, type UtcMonth } from '@tollgate/core';
import { sql } from 'kysely';
import { readRows } from '../script/read-row.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { NOTHING_STATED, readAccountMonth, type StatedThrough } from './read-account-month.js';
import { THROUGH_COLUMNS, throughFromRow } from './statement-rows.js';

const ACCOUNTS_AT_A_TIME = 100;
/** Total number of lines and entries after which a batch ends early, so that its memory is bounded. */
const LINES_AT_A_TIME = 20_000;
const KEYS_PER_READ = 500;

export interface PreparedStatement {
  readonly accountId: AccountId;
  readonly figures: StatementFigures;
  readonly names: StatementNames;
  readonly through: Pick<StatedThrough, 'throughEntry' | 'completeThrough'>;
}

export interface PreparedBatch {
  readonly statements: readonly PreparedStatement[];
  /** Account up to which all accounts are in the batch or need no statement; `null` if no account follows. */
  readonly last: AccountId | null;
  /** Why the account `last` has no statement, if its month cannot be read. */
  readonly failures: readonly unknown[];
}

export interface StatementBatch {
  readonly month: UtcMonth;
  readonly endsAt: Instant;
  /** Account after which the batch starts; empty for the first batch. */
  readonly after: string;
}

/** The part of the ledger that the account's statements contain. */
function* statedThrough(queries: Queries, accountId: string): Script<StatedThrough> {
  const row = yield* firstOf(queries.selectFrom('statements').select(THROUGH_COLUMNS).where('account_id', '=', accountId).orderBy('month', 'desc').limit(1));
  return row === null ? NOTHING_STATED : throughFromRow(row);
}

function* keyNames(queries: Queries, accountId: string, { charges }: StatementFigures): Script<Readonly<Record<string, string>>> {
  const ids = [...new Set(charges.flatMap(({ key_id: id }) => (id === null ? [] : [id])))];
  const names: (readonly [id: string, name: string | null])[] = [];
  for (const some of portionsOf(ids, KEYS_PER_READ)) {
    const keys = yield* rowsOf(queries.selectFrom('api_keys').select(['id', 'name']).where('account_id', '=', accountId).where('id', 'in', some));
    const playground = yield* rowsOf(queries.selectFrom('playground_keys').select(['id', sql<string>`'Playground'`.as('name')]).where('account_id', '=', accountId).where('id', 'in', some));
    names.push(...[...keys, ...playground].map(({ id, name }) => [id, name] as const));
  }
  return Object.fromEntries(names.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly balance: bigint;
}

/** Returns `null` for an account that had no balance and no bookings in the month. */
function* prepareOne(queries: Queries, account: AccountRow, endsAt: Instant): Script<PreparedStatement | null> {
  const accountId = account.id as AccountId;
  const month = { accountId, previous: yield* statedThrough(queries, account.id), endsAt, visibleThrough: null };
  const { builder, references, through } = yield* readAccountMonth(queries, month, ({ balance }) => balance.toUnits() === account.balance);
  if (builder.isEmpty) return null;
  const figures = builder.figures();
  const listed = figures.entries.flatMap(({ entry }) => (references[entry] === undefined ? [] : [[entry, references[entry]] as const]));
  const names = { account: { name: account.name, email: account.email }, keys: yield* keyNames(queries, account.id, figures), references: Object.fromEntries(listed) };
  return { accountId, figures, names, through };
}

function accountsAfter(queries: Queries, after: string): Script<readonly AccountRow[]> {
  return rowsOf(queries.selectFrom('accounts').select(['id', 'name', 'email', 'balance']).where('id', '>', after).orderBy('id').limit(ACCOUNTS_AT_A_TIME));
}

/** True if the first account that needs a statement cannot be read. */
function* isFirstUnreadable(queries: Queries, accounts: readonly AccountRow[], endsAt: Instant): Script<boolean> {
  for (const account of accounts) {
    const prepared = yield* readRows(prepareOne(queries, account, endsAt));
    if ('failure' in prepared) return true;
    if (prepared.value !== null) return false;
  }
  return false;
}

/**
 * Passes an account whose month cannot be read. Throws if, among the accounts after it that would be read next, the first that needs a statement cannot
 * be read either: all could be affected.
 */
function* passAccount(queries: Queries, id: string, { batch, cause }: { readonly batch: StatementBatch; readonly cause: unknown }): Script<PreparedBatch> {
  const { month, endsAt } = batch;
  const failure = new Error(`the statement of ${id} for ${month} could not be made`, { cause });
  if (yield* isFirstUnreadable(queries, yield* accountsAfter(queries, id), endsAt)) throw failure;
  return { statements: [], last: id as AccountId, failures: [failure] };
}

/**
 * Prepares statements of the month for the next accounts, in the order of ids. Ends before an account whose month cannot be read, and passes it if it
 * is the first. Throws if two accounts in a row cannot be read.
 */
export function* prepareStatements(queries: Queries, batch: StatementBatch): Script<PreparedBatch> {
  const accounts = yield* accountsAfter(queries, batch.after);
  const statements: PreparedStatement[] = [];
  let lines = 0;
  for (const account of accounts) {
    const prepared = yield* readRows(prepareOne(queries, account, batch.endsAt));
    if ('failure' in prepared) {
      const before = statements.at(-1);
      return before === undefined ? yield* passAccount(queries, account.id, { batch, cause: prepared.failure }) : { statements, last: before.accountId, failures: [] };
    }
    if (prepared.value === null) continue;
    const { accountId, figures: { charges, entries } } = prepared.value;
    statements.push(prepared.value);
    lines += charges.length + entries.length;
    if (lines >= LINES_AT_A_TIME) return { statements, last: accountId, failures: [] };
  }
  return { statements, last: accounts.length < ACCOUNTS_AT_A_TIME ? null : (accounts.at(-1)?.id ?? null) as AccountId | null, failures: [] };
}
