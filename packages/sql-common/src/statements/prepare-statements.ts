import type { AccountId, Instant, StatementFigures, StatementNames } from '@tollgate/core';
import { sql } from 'kysely';
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
}

/** The part of the ledger that the account's statements contain. */
function* statedThrough(queries: Queries, accountId: string): Script<StatedThrough> {
  const row = yield* firstOf(queries.selectFrom('statements').select(THROUGH_COLUMNS).where('account_id', '=', accountId).orderBy('month', 'desc').limit(1));
  return row === null ? NOTHING_STATED : throughFromRow(row);
}

function* keyNames(queries: Queries, accountId: string, { charges }: StatementFigures): Script<Readonly<Record<string, string>>> {
  const ids = [...new Set(charges.flatMap(({ key_id: id }) => (id === null ? [] : [id])))];
  const names: (readonly [id: string, name: string | null])[] = [];
  for (let from = 0; from < ids.length; from += KEYS_PER_READ) {
    const some = ids.slice(from, from + KEYS_PER_READ);
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

/** The accounts of the next batch. */
export function* idsAfter(queries: Queries, after: string): Script<readonly AccountId[]> {
  return (yield* accountsAfter(queries, after)).map(({ id }) => id as AccountId);
}

/** Returns `null` if the account needs no statement. */
export function* prepareStatement(queries: Queries, id: AccountId, endsAt: Instant): Script<PreparedStatement | null> {
  const account = yield* firstOf(queries.selectFrom('accounts').select(['id', 'name', 'email', 'balance']).where('id', '=', id));
  return account === null ? null : yield* prepareOne(queries, account, endsAt);
}

/** Prepares statements of the month for the next accounts, in the order of ids. */
export function* prepareStatements(queries: Queries, after: string, endsAt: Instant): Script<PreparedBatch> {
  const accounts = yield* accountsAfter(queries, after);
  const statements: PreparedStatement[] = [];
  let lines = 0;
  for (const account of accounts) {
    const prepared = yield* prepareOne(queries, account, endsAt);
    if (prepared === null) continue;
    statements.push(prepared);
    lines += prepared.figures.charges.length + prepared.figures.entries.length;
    if (lines >= LINES_AT_A_TIME) return { statements, last: prepared.accountId };
  }
  return { statements, last: accounts.length < ACCOUNTS_AT_A_TIME ? null : (accounts.at(-1)?.id ?? null) as AccountId | null };
}
