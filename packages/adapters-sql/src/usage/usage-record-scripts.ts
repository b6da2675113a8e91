import { type AccountId, ALL_ACCOUNTS, type ApiKeyId, type ModelSlug, type RequestId, type UsagePage, type UsageQuery, type UsageReport, type UsageScope } from '@tollgate/core';
import type { SelectQueryBuilder } from 'kysely';
import { instantFromColumn } from '../schema/column-values.js';
import type { DatabaseSchema } from '../schema/database-schema.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { storableText, storableTextOrNull } from '../text/storable-text.js';
import { endOfNewestDay } from './newest-day.js';
import { conditionsOf } from './usage-conditions.js';
import { encodeUsageCursor, type UsagePosition } from './usage-cursor.js';
import { usageRecordFromRow, withHold, withLateSettlement, type UsageRecordRow } from './usage-record-row.js';

/** Records that one page looks through at most where no index serves a filter, so that it does not take long. */
const RECORDS_PER_LOOK = 2_000;

/** A page that looked at nothing, with nothing behind it. */
const NO_RECORDS: UsagePage = { records: [], nextCursor: null, searchedTo: null };

type Records = SelectQueryBuilder<DatabaseSchema, 'usage_records', object>;

/** The same query in texts that every database takes. */
function storable(query: UsageQuery): UsageQuery {
  return {
    ...query,
    model: storableTextOrNull(query.model) as ModelSlug | null,
    keyId: storableTextOrNull(query.keyId) as ApiKeyId | null,
    attribution: storableTextOrNull(query.attribution),
  };
}

/** The account whose daily sums say on which days anything matches; `null` where they say nothing of it. */
function summedAccountOf({ accountId, model, keyId, attribution }: UsageQuery): AccountId | null {
  return accountId === ALL_ACCOUNTS || attribution !== null || (model === null && keyId === null) ? null : accountId;
}

/** Reads of usage records, for any SQL database. */
export class UsageRecordScripts {
  constructor(private readonly queries: Queries) {}

  * find(scope: UsageScope, requestId: RequestId): Script<UsageReport | null> {
    const row = yield* firstOf(this.queries.selectFrom('usage_records').selectAll()
      .where('request_id', '=', storableText(requestId))
      .$if(scope !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', scope as AccountId)));
    if (row === null) return null;
    const [record] = yield* this.recordsOf([row]);
    return record ?? null;
  }

  * page(given: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
    const query = storable(given);
    const accountId = summedAccountOf(query);
    if (accountId === null) return yield* this.pageFrom(query, after);
    const newestDay = yield* endOfNewestDay(this.queries, { ...query, accountId }, after);
    if (newestDay === null) return NO_RECORDS;
    const to = query.to === null || query.to > newestDay ? newestDay : query.to;
    return yield* this.pageFrom({ ...query, to }, after);
  }

  private* pageFrom(query: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
    const newest = this.newest(query, after);
    const conditions = conditionsOf(query);
    const last = conditions.length === 0 ? null : yield* this.lastLookedAt(newest);
    const looked = last === null ? newest : newest.where((record) => record(record.refTuple('ended_at', 'seq'), '>=', record.tuple(last.ended_at, last.seq)));
    const matching = conditions.reduce<Records>((records, condition) => records.where(condition), looked);
    const rows = yield* rowsOf(matching.selectAll().limit(query.limit + 1));
    const shown = rows.slice(0, query.limit);
    const next = rows.length > query.limit ? shown.at(-1) ?? null : last;
    return {
      records: yield* this.recordsOf(shown),
      nextCursor: next === null ? null : encodeUsageCursor(query.accountId, { endedAt: next.ended_at, seq: next.seq }),
      searchedTo: next === null ? null : instantFromColumn(next.ended_at),
    };
  }

  /** Newest first, as one index has them: of an account that by user or that by time, of all accounts that by time alone. */
  private newest({ accountId, attribution, from, to }: UsageQuery, after: UsagePosition | null): Records {
    return this.queries.selectFrom('usage_records')
      .$if(accountId !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', accountId as AccountId)
        .$if(attribution !== null, (ofUser) => ofUser.where('attribution', '=', attribution)))
      .$if(from !== null, (records) => records.where('ended_at', '>=', BigInt(from ?? 0)))
      .$if(to !== null, (records) => records.where('ended_at', '<', BigInt(to ?? 0)))
      .$if(after !== null, (records) => records.where((record) => (
        record(record.refTuple('ended_at', 'seq'), '<', record.tuple(after?.endedAt ?? 0n, after?.seq ?? 0n)))))
      .orderBy('ended_at', 'desc').orderBy('seq', 'desc');
  }

  /** Where the next page goes on; `null` when this one may look through all that is left. */
  private* lastLookedAt(newest: Records): Script<Pick<UsageRecordRow, 'ended_at' | 'seq'> | null> {
    return yield* firstOf(newest.select(['ended_at', 'seq']).limit(1).offset(RECORDS_PER_LOOK - 1));
  }

  private* recordsOf(rows: readonly UsageRecordRow[]): Script<readonly UsageReport[]> {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.reservation_id);
    const late = yield* rowsOf(this.queries.selectFrom('late_settlements').selectAll().where('reservation_id', 'in', ids));
    const holds = yield* rowsOf(this.queries.selectFrom('reservations').select(['id', 'amount', 'created_at']).where('id', 'in', ids));
    const lateByReservation = new Map(late.map((row) => [row.reservation_id, row]));
    const holdsById = new Map(holds.map((row) => [row.id, row]));
    return rows.map((row) => {
      const record = usageRecordFromRow(row);
      const settledLate = lateByReservation.get(row.reservation_id);
      return withHold(settledLate === undefined ? record : withLateSettlement(record, settledLate), holdsById.get(row.reservation_id));
    });
  }
}
