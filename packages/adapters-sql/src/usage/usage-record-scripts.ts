import type { AccountId, RequestId, UsagePage, UsageQuery, UsageRecord } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { encodeUsageCursor, type UsagePosition } from './usage-cursor.js';
import { usageRecordFromRow, withLateSettlement, type UsageRecordRow } from './usage-record-row.js';

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
    const rows = yield* rowsOf(this.selection(query, after).orderBy('ended_at', 'desc').orderBy('seq', 'desc').limit(query.limit + 1));
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    const hasMore = rows.length > query.limit && last !== undefined;
    return {
      records: yield* this.recordsOf(shown),
      nextCursor: hasMore ? encodeUsageCursor(query.accountId, { endedAt: last.ended_at, seq: last.seq }) : null,
    };
  }

  private selection(query: UsageQuery, after: UsagePosition | null) {
    const { accountId, from, to, model, keyId, attribution } = query;
    return this.queries.selectFrom('usage_records').selectAll().where('account_id', '=', accountId)
      .$if(from !== null, (records) => records.where('ended_at', '>=', BigInt(from ?? 0)))
      .$if(to !== null, (records) => records.where('ended_at', '<', BigInt(to ?? 0)))
      .$if(model !== null, (records) => records.where('served_by', '=', model))
      .$if(keyId !== null, (records) => records.where('key_id', '=', keyId))
      .$if(attribution !== null, (records) => records.where('attribution', '=', storableText(attribution ?? '')))
      .$if(after !== null, (records) => records.where((record) => (
        record(record.refTuple('ended_at', 'seq'), '<', record.tuple(after?.endedAt ?? 0n, after?.seq ?? 0n)))));
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
