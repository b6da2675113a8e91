import { type AccountId, type Instant, later, type LedgerDifference, MILLISECONDS_PER_DAY, ServiceTokens } from '@tollgate/core';
import { sql } from 'kysely';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { instantFromColumn } from '../schema/column-values.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { DifferenceRow, LedgerCheck } from './sql-ledger-audit.js';

const ROWS_PER_READ = 200;
/** Maximum time by which an event may be dated before one that precedes it in the feed, which is in the order of commits. */
const SKEW_MILLISECONDS = MILLISECONDS_PER_DAY;

function difference(accountId: string | null, expected: string, found: string): LedgerDifference {
  return { invariant: 'I17', accountId: accountId as AccountId | null, expected, found };
}

/** Time since which no event has been deleted; `null` if none ever was. The newest event with a position is never deleted. */
export function* completeEventsSince(queries: Queries): Script<Instant | null> {
  const oldest = yield* firstOf(queries.selectFrom('events').select(['position', 'occurred_at']).where('position', 'is not', null).orderBy('position').limit(1));
  return oldest === null || oldest.position === 1n ? null : later(instantFromColumn(oldest.occurred_at), SKEW_MILLISECONDS);
}

/** Each account has as many booking events as acts of money. */
export function eventCountCheck(since: Instant | null): LedgerCheck {
  const from = sql.lit(since ?? 0);
  return {
    invariant: 'I17',
    show: (figure) => `${figure} events of bookings`,
    query: sql<DifferenceRow>`
      select account as account_id, cast(sum(acts) as bigint) as expected, cast(sum(events) as bigint) as found from (
        select ${CUSTOMER} as account, 1 as acts, 0 as events from ledger_entries where reservation_id is null and at >= ${from}
        union all
        select account_id as account, 0 as acts, 1 as events from events where type = 'balance.booked' and occurred_at >= ${from}) counted
      group by account having sum(acts) <> sum(events)`,
  };
}

interface BookedData {
  readonly kind: string;
  readonly amount: string;
  readonly reference: string;
}

interface EventRow {
  readonly seq: bigint;
  readonly account_id: string | null;
  readonly data: string;
}

/** Each booking event states the kind and amount of its ledger entry. */
export function* compareEvents(queries: Queries, maximumDifferences: number): Script<readonly LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  let compared = 0n;
  for (;;) {
    const rows: readonly EventRow[] = yield* rowsOf(queries.selectFrom('events').select(['seq', 'account_id', 'data']).where('type', '=', 'balance.booked')
      .where('seq', '>', compared).orderBy('seq').limit(ROWS_PER_READ));
    if (rows.length > 0) differences.push(...yield* compareRows(queries, rows));
    if (rows.length < ROWS_PER_READ || differences.length >= maximumDifferences) return differences.slice(0, maximumDifferences);
    compared = rows.at(-1)?.seq ?? compared;
  }
}

function* compareRows(queries: Queries, rows: readonly EventRow[]): Script<readonly LedgerDifference[]> {
  // `bookedEvent` writes these data.
  const events = rows.map(({ account_id: account, data }) => ({ account, ...JSON.parse(data) as BookedData }));
  const booked = yield* entriesOf(queries, events.map(({ reference }) => reference));
  return events.map(({ account, kind, amount, reference }) => {
    const entry = booked.get(`${account} ${reference}`) ?? 'no entry';
    return entry === `${kind} of ${amount}` ? null : difference(account, entry, `${kind} of ${amount}`);
  }).filter((found) => found !== null);
}

function* entriesOf(queries: Queries, references: readonly string[]): Script<ReadonlyMap<string, string>> {
  const entries = yield* rowsOf(compilable(queries, sql<{ account: string; reference: string; kind: string; amount: bigint }>`
    select ${CUSTOMER} as account, reference, kind, case when substr(credit_account, 1, 7) = 'system:' then -amount else amount end as amount
    from ledger_entries where reference in (${sql.join(references)}) and reference is not null`));
  return new Map(entries.map(({ account, reference, kind, amount }) => [`${account} ${reference}`, `${kind} of ${ServiceTokens.fromUnits(amount).toString()}`]));
}
