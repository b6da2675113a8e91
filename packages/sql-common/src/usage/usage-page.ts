import {
  type AccountId, ALL_ACCOUNTS, type ApiKeyId, type Instant, instant, invariant, type ModelSlug, parseUtcDay, startOfNextUtcDay, type UsagePage, type UsageQuery, utcDayOf,
} from '@tollgate/core';
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import type { DatabaseSchema } from '../schema/database-schema.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { encodeUsageCursor, type UsagePosition } from './usage-cursor.js';
import { usageReports } from './usage-reports.js';

/** Maximum records that one page examines if it has a filter without an index. */
const RECORDS_PER_LOOK = 2_000;

type LateColumn = 'end_reason' | 'served_by' | 'charge';

/** Column of the record's late settlement; `null` if there is none. */
function lateColumn(column: LateColumn): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`late.${column}`)} from late_settlements as late where late.reservation_id = usage_records.reservation_id)`;
}

/** Conditions for filters without an index. A late settlement counts as part of its record. */
function conditionsOf({ accountId, model, keyId, attribution, endReason, leastCharge }: UsageQuery): readonly RawBuilder<SqlBool>[] {
  return [
    keyId === null ? null : sql<SqlBool>`key_id = ${keyId}`,
    // Within one account, users have an index.
    attribution === null || accountId !== ALL_ACCOUNTS ? null : sql<SqlBool>`attribution = ${attribution}`,
    model === null ? null : sql<SqlBool>`case when ${lateColumn('end_reason')} is null then served_by else ${lateColumn('served_by')} end = ${model}`,
    endReason === null ? null : sql<SqlBool>`coalesce(${lateColumn('end_reason')}, end_reason) = ${endReason}`,
    leastCharge === null ? null : sql<SqlBool>`charge + coalesce(${lateColumn('charge')}, 0) >= ${leastCharge.toUnits()}`,
  ].filter((condition) => condition !== null);
}

type Records = SelectQueryBuilder<DatabaseSchema, 'usage_records', object>;

/** Records from newest to oldest, in the order of an index: by user or time within an account, by time over all accounts. */
function newestRecords(queries: Queries, { accountId, attribution, from, to }: UsageQuery, after: UsagePosition | null): Records {
  return queries.selectFrom('usage_records')
    .$if(accountId !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', accountId as AccountId)
      .$if(attribution !== null, (ofUser) => ofUser.where('attribution', '=', attribution)))
    .$if(from !== null, (records) => records.where('ended_at', '>=', BigInt(from ?? 0)))
    .$if(to !== null, (records) => records.where('ended_at', '<', BigInt(to ?? 0)))
    .$if(after !== null, (records) => records.where((record) => (
      record(record.refTuple('ended_at', 'seq'), '<', record.tuple(after?.endedAt ?? 0n, after?.seq ?? 0n)))))
    .orderBy('ended_at', 'desc').orderBy('seq', 'desc');
}

function* pageFrom(queries: Queries, query: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
  const newest = newestRecords(queries, query, after);
  const conditions = conditionsOf(query);
  const last = conditions.length === 0 ? null : yield* firstOf(newest.select(['ended_at', 'seq']).limit(1).offset(RECORDS_PER_LOOK - 1));
  const looked = last === null ? newest : newest.where((record) => record(record.refTuple('ended_at', 'seq'), '>=', record.tuple(last.ended_at, last.seq)));
  const matching = conditions.reduce<Records>((records, condition) => records.where(condition), looked);
  const rows = yield* rowsOf(matching.select(USAGE_RECORD_COLUMNS).limit(query.limit + 1));
  const shown = rows.slice(0, query.limit);
  const next = rows.length > query.limit ? shown.at(-1) ?? null : last;
  return {
    records: yield* usageReports(queries, shown),
    nextCursor: next === null ? null : encodeUsageCursor(query.accountId, { endedAt: next.ended_at, seq: next.seq }),
    searchedTo: next === null ? null : instantFromColumn(next.ended_at),
  };
}

type AccountUsageQuery = UsageQuery & { readonly accountId: AccountId };

/** Latest time at which a record of the page can have ended; `null` without a bound. */
function beginningOf({ to }: UsageQuery, after: UsagePosition | null): Instant | null {
  return after === null ? to : instant(Number(after.endedAt));
}

/**
 * End of the newest day within the bounds of the page on which the account used the query's model and key; `null` if there is none. Daily sums have a
 * row for every model and key of a day, so the records of other days are not read.
 */
function* endOfNewestDay(queries: Queries, query: AccountUsageQuery, after: UsagePosition | null): Script<Instant | null> {
  const { accountId, model, keyId, from } = query;
  const beginning = beginningOf(query, after);
  const newest = yield* firstOf(queries.selectFrom('usage_daily').select('day').where('account_id', '=', accountId)
    .$if(model !== null, (days) => days.where('model', '=', model ?? ''))
    .$if(keyId !== null, (days) => days.where('key_id', '=', keyId ?? ''))
    .$if(from !== null, (days) => days.where('day', '>=', from === null ? '' : utcDayOf(from)))
    .$if(beginning !== null, (days) => days.where('day', '<=', beginning === null ? '' : utcDayOf(beginning)))
    .orderBy('day', 'desc').limit(1));
  if (newest === null) return null;
  const start = parseUtcDay(newest.day);
  invariant(start !== null, 'days are stored as they are written');
  return startOfNextUtcDay(start);
}

/** Replaces characters that some databases do not accept. */
function storable(query: UsageQuery): UsageQuery {
  return {
    ...query,
    model: storableTextOrNull(query.model) as ModelSlug | null,
    keyId: storableTextOrNull(query.keyId) as ApiKeyId | null,
    attribution: storableTextOrNull(query.attribution),
  };
}

/** Account whose daily sums show which days have matching records; `null` if they do not. */
function summedAccountOf({ accountId, model, keyId, attribution }: UsageQuery): AccountId | null {
  return accountId === ALL_ACCOUNTS || attribution !== null || (model === null && keyId === null) ? null : accountId;
}

/** Reads the page after the position. */
export function* readUsagePage(queries: Queries, given: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
  const query = storable(given);
  const accountId = summedAccountOf(query);
  if (accountId === null) return yield* pageFrom(queries, query, after);
  const newestDay = yield* endOfNewestDay(queries, { ...query, accountId }, after);
  if (newestDay === null) return { records: [], nextCursor: null, searchedTo: null };
  const to = query.to === null || query.to > newestDay ? newestDay : query.to;
  return yield* pageFrom(queries, { ...query, to }, after);
}
