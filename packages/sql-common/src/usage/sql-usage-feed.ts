import {
  type AccountId, chargeOf, type Instant, invariant, type NewEvent, ServiceTokens, type UsageEntry, type UsageEntryKind, type UsageFeed, type UsageFeedQuery, type UsageFeedReading,
  type UtcDay,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { appendEvent } from '../events/append-event.js';
import { LATE_SETTLEMENT_COLUMNS, USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import type { UsageBookedDayTable, UsageFeedTable } from '../schema/usage-feed-tables.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { PositionedFeedParts } from '../script/positioned-feed.js';
import { readUsageFeedCursor, usageFeedCursorOf, type UsageFeedPosition } from './usage-feed-cursor.js';
import { USAGE_POSITIONS_PER_STEP } from './position-usage.js';
import { lateSettlementFromRow, type UsageRecordRow, usageRecordFromRow } from './usage-rows.js';

/** Maximum accounts whose closed day is announced per transaction. */
const ANNOUNCED_PER_STEP = 20;

type FeedRow = Selectable<UsageFeedTable>;
type BookedDayRow = Selectable<UsageBookedDayTable>;

function kindOf({ late }: FeedRow): UsageEntryKind {
  return Number(late) === 0 ? 'settlement' : 'late-settlement';
}

function sourcesOf(rows: readonly FeedRow[], kind: UsageEntryKind): readonly bigint[] {
  return rows.filter((row) => kindOf(row) === kind).map(({ source }) => source);
}

function dayClosed({ day, account_id, settlements, late_settlements, charge }: BookedDayRow, at: Instant): NewEvent {
  return {
    type: 'usage.day_closed', accountId: account_id as AccountId, at,
    data: { day, settlements: Number(settlements), late_settlements: Number(late_settlements), svc_tokens_debited: ServiceTokens.fromUnits(charge).toString() },
  };
}

export class SqlUsageFeed implements UsageFeed {
  private readonly queries: Queries;

  constructor(private readonly parts: PositionedFeedParts) {
    this.queries = parts.queries;
  }

  async read({ after, limit }: UsageFeedQuery): Promise<UsageFeedReading> {
    const last = after === null ? null : readUsageFeedCursor(after);
    if (after !== null && last === null) return { outcome: 'malformed' };
    const positioned = await this.position();
    return this.parts.runner.read(() => this.page(last, { limit, isBehind: positioned === USAGE_POSITIONS_PER_STEP }));
  }

  async position(): Promise<number> {
    const { runner, stepper, sequence } = this.parts;
    return await runner.read(() => this.mayBeBehind()) ? stepper.steps(sequence) : 0;
  }

  async closeDaysBefore(day: UtcDay): Promise<void> {
    while (await this.position() === USAGE_POSITIONS_PER_STEP);
    await this.parts.stepper.steps(() => changesOf(this.queries.updateTable('usage_feed_state').set({ open_from: day }).where('open_from', '<', day)));
  }

  announceClosedDays(at: Instant): Promise<number> {
    return this.parts.runner.write(() => this.announceSome(at));
  }

  private* mayBeBehind(): Script<boolean> {
    const state = yield* firstOf(this.queries.selectFrom('usage_feed_state').select(['records_through', 'late_through']));
    invariant(state !== null, 'the baseline stores the row');
    return (yield* firstOf(this.queries.selectFrom('usage_records').select('seq').where('seq', '>', state.records_through).limit(1))) !== null
      || (yield* firstOf(this.queries.selectFrom('late_settlements').select('seq').where('seq', '>', state.late_through).limit(1))) !== null;
  }

  private* page(last: UsageFeedPosition | null, { limit, isBehind }: { readonly limit: number; readonly isBehind: boolean }): Script<UsageFeedReading> {
    if (last !== null && !(yield* this.has(last))) {
      // After a restore, entries are numbered again in several steps, so the cursor's entry may just not have its number yet.
      return isBehind ? { outcome: 'page', entries: [], nextCursor: usageFeedCursorOf(last), hasMore: true } : { outcome: 'lost' };
    }
    const rows = yield* rowsOf(this.queries.selectFrom('usage_feed').select(['position', 'late', 'source', 'day'])
      .where('position', '>', last?.position ?? 0n).orderBy('position').limit(limit + 1));
    const entries = yield* this.entriesOf(rows.slice(0, limit));
    const end = entries.at(-1);
    const position = end === undefined ? last : { position: BigInt(end.number), kind: end.kind, requestId: end.facts.requestId };
    return { outcome: 'page', entries, nextCursor: position === null ? null : usageFeedCursorOf(position), hasMore: rows.length > limit || isBehind };
  }

  private* has({ position, kind, requestId }: UsageFeedPosition): Script<boolean> {
    const rows = yield* rowsOf(this.queries.selectFrom('usage_feed').select(['position', 'late', 'source', 'day']).where('position', '=', position));
    const [entry] = yield* this.entriesOf(rows);
    return entry?.kind === kind && entry.facts.requestId === requestId;
  }

  private* entriesOf(rows: readonly FeedRow[]): Script<readonly UsageEntry[]> {
    const records = yield* this.recordsBy('seq', sourcesOf(rows, 'settlement'));
    const lateSources = sourcesOf(rows, 'late-settlement');
    const lates = lateSources.length === 0 ? [] : yield* rowsOf(this.queries.selectFrom('late_settlements').select(LATE_SETTLEMENT_COLUMNS).where('seq', 'in', lateSources));
    const sweptRecords = yield* this.recordsBy('reservation_id', lates.map((late) => late.reservation_id));
    const recordBySource = new Map(records.map((record) => [record.seq, record]));
    const lateBySource = new Map(lates.map((late) => [late.seq, late]));
    const sweptByReservation = new Map(sweptRecords.map((record) => [record.reservation_id, record]));
    return rows.map((row): UsageEntry => {
      const late = kindOf(row) === 'settlement' ? undefined : lateBySource.get(row.source);
      const recordRow = kindOf(row) === 'settlement' ? recordBySource.get(row.source) : sweptByReservation.get(late?.reservation_id ?? '');
      invariant(recordRow !== undefined, 'settlements are never deleted');
      const place = { number: Number(row.position), kind: kindOf(row), day: row.day as UtcDay };
      const record = usageRecordFromRow(recordRow, null);
      if (late === undefined) return { ...place, facts: record, ending: record, charge: record.charge, writeOff: record.writeOff, settledAt: record.settledAt };
      const { ending, charged, writeOff, settledAt } = lateSettlementFromRow(late, null);
      return { ...place, facts: record, ending, charge: chargeOf(charged, record.usdPerServiceToken), writeOff, settledAt };
    });
  }

  private* recordsBy(column: 'seq' | 'reservation_id', values: readonly (bigint | string)[]): Script<readonly UsageRecordRow[]> {
    if (values.length === 0) return [];
    return yield* rowsOf(this.queries.selectFrom('usage_records').select(USAGE_RECORD_COLUMNS).where(column, 'in', values as never));
  }

  /** Stores the events of closed days. The row of a day that another gateway has announced no longer exists. */
  private* announceSome(at: Instant): Script<number> {
    const closed = yield* rowsOf(this.queries.selectFrom('usage_booked_days').select(['day', 'account_id', 'settlements', 'late_settlements', 'charge'])
      .where('day', '<', this.queries.selectFrom('usage_feed_state').select('open_from')).orderBy('day').orderBy('account_id').limit(ANNOUNCED_PER_STEP));
    for (const row of closed) {
      const deleted = yield* changesOf(this.queries.deleteFrom('usage_booked_days').where('day', '=', row.day).where('account_id', '=', row.account_id));
      if (deleted > 0) yield* appendEvent(this.queries, dayClosed(row, at));
    }
    return closed.length;
  }
}
