import { type Instant, rfc3339, STATEMENT_DELAY_MILLISECONDS, startOfNextUtcMonth, type StatementDocument, type StatementIssuer, type UtcMonth, utcMonthOf } from '@tollgate/core';
import { sql } from 'kysely';
import { instantFromColumn } from '../schema/column-values.js';
import { endBy, type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { PreparedStatement } from './prepare-statements.js';

/** Time after which another process may take over. Each transaction of a batch renews the claim. */
const CLAIM_MILLISECONDS = 10 * 60_000;

/** A run of statements: its month, and the account after which it continues. */
export interface StatementTurn {
  readonly version: bigint;
  readonly month: UtcMonth;
  readonly endsAt: Instant;
  readonly after: string;
}

export interface StatementPresent {
  readonly clock: LeaseClock;
  readonly at: Instant;
}

/** Time of the first ledger entry; `null` if there is none. */
function* firstMonth(queries: Queries): Script<Instant | null> {
  const first = yield* firstOf(queries.selectFrom('ledger_entries').select('at').orderBy('seq').limit(1));
  return first === null ? null : instantFromColumn(first.at);
}

/** Next month without statements; `null` until that month has ended and the delay has passed, by the caller's clock, or if there are no entries. */
export function* dueMonth(queries: Queries, at: Instant): Script<{ readonly month: UtcMonth; readonly endsAt: Instant } | null> {
  const state = yield* firstOf(queries.selectFrom('statement_state').select(['month', 'ends_at']));
  if (state === null) return null;
  const begun = state.month === null ? yield* firstMonth(queries) : null;
  if (state.month === null && begun === null) return null;
  const endsAt = begun === null ? instantFromColumn(state.ends_at) : startOfNextUtcMonth(begun);
  const month = begun === null ? state.month as UtcMonth : utcMonthOf(begun);
  return at < endsAt + STATEMENT_DELAY_MILLISECONDS ? null : { month, endsAt };
}

/** Claims the month that is due. Returns `null` if none is, and `busy` if another run has a claim. */
export function* claimStatements(queries: Queries, present: StatementPresent): Script<StatementTurn | 'busy' | null> {
  const due = yield* dueMonth(queries, present.at);
  if (due === null) return null;
  const claimed = yield* changesOf(queries.updateTable('statement_state')
    .set({ version: sql<bigint>`version + 1`, claimed_until: claimEnd(present), month: due.month, ends_at: due.endsAt })
    .where('claimed_until', '<=', presentBy(present.clock, present.at)).where((row) => row.or([row('month', 'is', null), row('month', '=', due.month)])));
  if (claimed === 0) return 'busy';
  const state = yield* firstOf(queries.selectFrom('statement_state').select(['version', 'after_account']));
  return state === null ? null : { version: state.version, ...due, after: state.after_account };
}

function claimEnd({ clock, at }: StatementPresent) {
  return endBy(clock, { given: at, end: (at + CLAIM_MILLISECONDS) as Instant });
}

/** Accounts that were erased after they had been read. Locks the accounts, as an erasure does. */
function* erasedOf(queries: Queries, ids: readonly string[]): Script<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = yield* rowsOf(locking(queries, queries.selectFrom('accounts').select(['id', 'status']).where('id', 'in', [...ids]).orderBy('id')));
  return new Set(rows.filter(({ status }) => status === 'deleted').map(({ id }) => id));
}

interface Numbered {
  readonly number: number;
  readonly turn: StatementTurn;
  readonly issuer: StatementIssuer;
  readonly at: Instant;
}

function* insertOne(queries: Queries, { accountId, figures, through }: PreparedStatement, { number, turn, issuer, at }: Numbered): Script<void> {
  // JSON encodes the amounts as texts.
  const document = { object: 'statement', version: 1, number, account_id: accountId, month: turn.month, made_at: rfc3339(at), issuer, ...figures } satisfies Record<keyof StatementDocument, unknown>;
  yield* changesOf(queries.insertInto('statements').values({
    number, account_id: accountId, month: turn.month, ends_at: turn.endsAt, document: JSON.stringify(document), opening: figures.opening_balance.toUnits(),
    closing: figures.closing_balance.toUnits(), made_at: at, through_entry: through.throughEntry, complete_through: through.completeThrough,
  }));
}

export interface StatementsToStore {
  readonly turn: StatementTurn;
  readonly statements: readonly PreparedStatement[];
  /** Account after which the run continues; `null` after the last one of the month. */
  readonly last: string | null;
  readonly issuer: StatementIssuer;
}

/** Numbers and stores statements. Returns `false` if another run has taken over. */
export function* storeStatements(queries: Queries, { turn, statements, last, issuer }: StatementsToStore, present: StatementPresent): Script<boolean> {
  const next = last === null ? { month: utcMonthOf(turn.endsAt), ends_at: startOfNextUtcMonth(turn.endsAt), after_account: '' } : { after_account: last };
  const moved = yield* changesOf(queries.updateTable('statement_state')
    .set((row) => ({ ...next, last_number: row('last_number', '+', BigInt(statements.length)), claimed_until: last === null ? 0n : claimEnd(present) }))
    .where('version', '=', turn.version));
  if (moved === 0) return false;
  const state = yield* firstOf(queries.selectFrom('statement_state').select('last_number'));
  const erased = yield* erasedOf(queries, statements.map(({ accountId }) => accountId));
  let number = Number(state?.last_number ?? 0n) - statements.length;
  for (const statement of statements) {
    number += 1;
    yield* insertOne(queries, statement, { number, turn, issuer, at: present.at });
    const { accountId, names } = statement;
    if (!erased.has(accountId)) yield* changesOf(queries.insertInto('statement_names').values({ number, account_id: accountId, names: JSON.stringify(names) }));
  }
  return true;
}

/** Ends the claim of a run that stops before its month is complete. */
export function* releaseClaim(queries: Queries, version: bigint): Script<void> {
  yield* changesOf(queries.updateTable('statement_state').set({ claimed_until: 0 }).where('version', '=', version));
}
