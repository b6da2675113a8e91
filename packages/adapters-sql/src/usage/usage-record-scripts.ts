import type { AccountId, RequestId, UsagePage, UsageQuery, UsageRecord } from '@tollgate/core';
import type { SelectQueryBuilder } from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { encodeUsageCursor, type UsagePosition } from './usage-cursor.js';
import { usageRecordFromRow, withLateSettlement, type UsageRecordRow } from './usage-record-row.js';

/** Records that one page looks through at most where several filters apply: no index serves them all, and a page must not take long. */
const RECORDS_PER_LOOK = 2_000;

type Newest = SelectQueryBuilder<DatabaseSchema, 'usage_records', object>;

/** Which of an account's records a query means by itself, the most telling filter first. */
type Filter = readonly [column: 'attribution' | 'key_id' | 'served_by', value: string];

function filtersOf({ model, keyId, attribution }: UsageQuery): readonly Filter[] {
  const filters: readonly (readonly [Filter[0], string | null])[] = [
    ['attribution', attribution === null ? null : storableText(attribution)], ['key_id', keyId], ['served_by', model],
  ];
  return filters.filter((filter): filter is Filter => filter[1] !== null);
}

/** Reads of usage records, for any SQL database. */
export class UsageRecordScripts {
  constructor(private readonly queries: Queries) {}

  * find(accountId: AccountId, requestId: RequestId): Script<UsageRecord | null> {
    const row = yield* firstOf(this.queries.selectFrom('usage_records').selectAll()
      .where('request_id', '=', requestId).where('account_id', '=', accountId));
    if (row === null) return null;
    const [record] = yield* this.recordsOf([row]);
    return record ?? null;
  }

  * page(query: UsageQuery, after: UsagePosition | null): Script<UsagePage> {
    const [first, ...others] = filtersOf(query);
    const looked = this.newest(query, after, first);
    const rows = yield* rowsOf((others.length === 0 ? looked : this.amongTheNewest(looked, others)).selectAll().limit(query.limit + 1));
    const shown = rows.slice(0, query.limit);
    const next = rows.length > query.limit ? shown.at(-1) : yield* this.lastLookedAt(looked, others);
    return {
      records: yield* this.recordsOf(shown),
      nextCursor: next === undefined ? null : encodeUsageCursor(query.accountId, { endedAt: next.ended_at, seq: next.seq }),
    };
  }

  /** Newest first, as one index has them. */
  private newest({ accountId, from, to }: UsageQuery, after: UsagePosition | null, filter: Filter | undefined) {
    return this.queries.selectFrom('usage_records').where('account_id', '=', accountId)
      .$if(filter !== undefined, (records) => records.where(filter?.[0] ?? 'attribution', '=', filter?.[1] ?? null))
      .$if(from !== null, (records) => records.where('ended_at', '>=', BigInt(from ?? 0)))
      .$if(to !== null, (records) => records.where('ended_at', '<', BigInt(to ?? 0)))
      .$if(after !== null, (records) => records.where((record) => (
        record(record.refTuple('ended_at', 'seq'), '<', record.tuple(after?.endedAt ?? 0n, after?.seq ?? 0n)))))
      .orderBy('ended_at', 'desc').orderBy('seq', 'desc');
  }

  /** What the other filters let through of the newest. */
  private amongTheNewest(newest: Newest, filters: readonly Filter[]): Newest {
    const among = this.queries.selectFrom('usage_records').where('seq', 'in', newest.select('seq').limit(RECORDS_PER_LOOK))
      .orderBy('ended_at', 'desc').orderBy('seq', 'desc');
    return filters.reduce<Newest>((records, [column, value]) => records.where(column, '=', value), among);
  }

  /** Where the next page goes on that has not been looked at; nothing when all has. */
  private* lastLookedAt(newest: Newest, others: readonly Filter[]): Script<Pick<UsageRecordRow, 'ended_at' | 'seq'> | undefined> {
    if (others.length === 0) return undefined;
    return (yield* firstOf(newest.select(['ended_at', 'seq']).limit(1).offset(RECORDS_PER_LOOK - 1))) ?? undefined;
  }

  private* recordsOf(rows: readonly UsageRecordRow[]): Script<readonly UsageRecord[]> {
    if (rows.length === 0) return [];
    const late = yield* rowsOf(this.queries.selectFrom('late_settlements').selectAll()
      .where('reservation_id', 'in', rows.map((row) => row.reservation_id)));
    const lateByReservation = new Map(late.map((row) => [row.reservation_id, row]));
    return rows.map((row) => {
      const record = usageRecordFromRow(row);
      const settledLate = lateByReservation.get(row.reservation_id);
      return settledLate === undefined ? record : withLateSettlement(record, settledLate);
    });
  }
}
