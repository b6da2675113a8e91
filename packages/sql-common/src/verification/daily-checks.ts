import { type RawBuilder, sql } from 'kysely';
import { showAmount } from './balance-checks.js';
import type { DifferenceRow, LedgerCheck } from './sql-ledger-audit.js';

type Figure = RawBuilder<unknown>;

const TOKENS = sql`uncached_prompt_tokens + cached_prompt_tokens + cache_creation_tokens + reasoning_tokens + visible_output_tokens`;

const OF_THE_RECORD = sql`u.uncached_prompt_tokens + u.cached_prompt_tokens + u.cache_creation_tokens + u.reasoning_tokens + u.visible_output_tokens`;
const SETTLED_LATE = sql`l.uncached_prompt_tokens + l.cached_prompt_tokens + l.cache_creation_tokens + l.reasoning_tokens + l.visible_output_tokens`;

/** Sums two sources per account and day, and finds the days on which they differ. */
function sameEachDay(expected: Figure, found: Figure): RawBuilder<DifferenceRow> {
  return sql<DifferenceRow>`
    select account_id, cast(sum(expected) as bigint) as expected, cast(sum(found) as bigint) as found from (
      select account_id, day, figure as expected, 0 as found from (${expected}) expectations
      union all select account_id, day, 0 as expected, figure as found from (${found}) findings) days
    group by account_id, day having sum(expected) <> sum(found)`;
}

/** What the records of some requests say of their days. */
interface Recorded {
  readonly charged: Figure;
  readonly requests: Figure;
  readonly used: Figure;
}

/** As records are read: a late settlement stands in for what the sweeper recorded. */
function ofRecords(figure: Figure, where: Figure): Figure {
  return sql`
    select u.account_id as account_id, u.day as day, ${figure} as figure
    from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id where ${where}`;
}

function recorded(where: Figure, charged: Figure): Recorded {
  return { charged, requests: ofRecords(sql`1`, where), used: ofRecords(sql`coalesce(${SETTLED_LATE}, ${OF_THE_RECORD})`, where) };
}

const ALL = sql`true`;
const OF_USERS = sql`attribution <> ''`;

const CHARGED = sql`
  select account_id, day, charge as figure from usage_records
  union all select account_id, day, charge as figure from late_settlements`;
const CHARGED_TO_USERS = ofRecords(sql`u.charge + coalesce(l.charge, 0)`, OF_USERS);
const BOOKED = sql`select debit_account as account_id, day, amount as figure from ledger_entries where kind in ('charge', 'late-charge')`;

function rolledUp(table: string, figure: Figure, where: Figure): Figure {
  return sql`select account_id, day, ${figure} as figure from ${sql.table(table)} where ${where}`;
}

function rollUpChecks(table: string, where: Figure, { charged, requests, used }: Recorded): readonly LedgerCheck[] {
  return [
    { invariant: 'I7', show: showAmount, query: sameEachDay(charged, rolledUp(table, sql`charge`, where)) },
    { invariant: 'I7', show: (figure) => `${figure} requests`, query: sameEachDay(requests, rolledUp(table, sql`requests`, where)) },
    { invariant: 'I7', show: (figure) => `${figure} tokens`, query: sameEachDay(used, rolledUp(table, TOKENS, where)) },
  ];
}

/** I7: usage records, ledger entries and both roll-ups agree on every day of every account. */
export const DAILY_CHECKS: readonly LedgerCheck[] = [
  { invariant: 'I7', show: showAmount, query: sameEachDay(CHARGED, BOOKED) },
  ...rollUpChecks('usage_daily', ALL, recorded(ALL, CHARGED)),
  ...rollUpChecks('usage_daily_users', OF_USERS, recorded(OF_USERS, CHARGED_TO_USERS)),
];
