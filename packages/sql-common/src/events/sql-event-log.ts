import {
  type AccountEvent, type AccountId, type EventId, type EventLog, type EventQuery, type EventReading, type EventType, type Instant, invariant, type JsonObject, MAX_EVENT_PAGE,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { instantFromColumn } from '../schema/column-values.js';
import type { EventTable } from '../schema/event-tables.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { PositionedFeedParts } from '../script/positioned-feed.js';
import { eventCursorOf, type EventPosition, readEventCursor } from './event-cursor.js';

export const EVENT_COLUMNS = ['seq', 'id', 'type', 'account_id', 'external_id', 'account_sequence', 'occurred_at', 'data', 'position'] as const;

/** Maximum number of events that a page with a filter examines, even if none matches. */
const CONSIDERED = 1_000;
/** Maximum events deleted per transaction. */
const PRUNED_PER_STEP = 500;

type EventRow = Selectable<EventTable>;
type PositionedRow = EventRow & { readonly position: bigint };

export function eventFromRow({ id, type, account_id, external_id, account_sequence, occurred_at, data }: EventRow): AccountEvent {
  return {
    id: id as EventId, type: type as EventType, accountId: account_id as AccountId | null, externalId: external_id,
    accountSequence: account_sequence === null ? null : Number(account_sequence), at: instantFromColumn(occurred_at), data: JSON.parse(data) as JsonObject,
  };
}

export class SqlEventLog implements EventLog {
  constructor(private readonly parts: PositionedFeedParts) {}

  async read({ after, limit, types, accountId }: EventQuery): Promise<EventReading> {
    invariant(limit >= 1 && limit <= MAX_EVENT_PAGE, 'pages of the feed are bounded');
    const last = after === null ? null : readEventCursor(after);
    if (after !== null && last === null) return { outcome: 'malformed' };
    await this.position();
    return this.parts.runner.read(() => this.page(last, { limit, types, accountId }));
  }

  find(id: EventId): Promise<AccountEvent | null> {
    return this.parts.runner.read(() => this.byId(id));
  }

  async position(): Promise<number> {
    const { runner, stepper, sequence } = this.parts;
    return await runner.read(() => this.isBehind()) ? stepper.steps(sequence) : 0;
  }

  prune(before: Instant): Promise<number> {
    return this.parts.runner.write(() => this.deleteOldest(before));
  }

  private* byId(id: EventId): Script<AccountEvent | null> {
    const row = yield* firstOf(this.parts.queries.selectFrom('events').select(EVENT_COLUMNS).where('id', '=', id));
    return row === null ? null : eventFromRow(row);
  }

  private* isBehind(): Script<boolean> {
    return (yield* firstOf(this.parts.queries.selectFrom('events').select('seq').where('position', 'is', null).limit(1))) !== null;
  }

  private* page(last: EventPosition | null, filter: Omit<EventQuery, 'after'>): Script<EventReading> {
    const place = last === null ? 'known' : yield* this.placeOf(last);
    if (place === 'lost') return { outcome: 'lost' };
    // The events before the cursor may get their positions in several steps, after a database was restored.
    if (place === 'waiting') return { outcome: 'page', events: [], nextCursor: last === null ? null : eventCursorOf(last), hasMore: true };
    const considered = filter.types === null && filter.accountId === null ? filter.limit : CONSIDERED;
    const rows = yield* this.following(last, considered + 1);
    const matching = rows.slice(0, considered).filter((row) => matches(row, filter));
    const page = matching.slice(0, filter.limit);
    // The cursor of a full page is its last event; that of any other page is the last event that was examined.
    const end = (page.length === filter.limit ? page.at(-1) : rows.slice(0, considered).at(-1)) ?? null;
    const position = end === null ? last : { position: end.position, id: end.id as EventId };
    return {
      outcome: 'page', events: page.map(eventFromRow), nextCursor: position === null ? null : eventCursorOf(position),
      hasMore: (end !== null && end !== rows.at(-1)) || (yield* this.isBehind()),
    };
  }

  /** `waiting` means that the event has no position yet, `lost` that the cursor is of another feed or its event was deleted. */
  private* placeOf({ position, id }: EventPosition): Script<'known' | 'waiting' | 'lost'> {
    const row = yield* firstOf(this.parts.queries.selectFrom('events').select('position').where('id', '=', id));
    if (row === null) return 'lost';
    if (row.position === null) return 'waiting';
    return row.position === position ? 'known' : 'lost';
  }

  private* following(last: EventPosition | null, limit: number): Script<readonly PositionedRow[]> {
    const rows = yield* rowsOf(this.parts.queries.selectFrom('events').select(EVENT_COLUMNS)
      .where('position', '>', last?.position ?? 0n).orderBy('position').limit(limit));
    return rows.filter((row): row is PositionedRow => row.position !== null);
  }

  private* deleteOldest(before: Instant): Script<number> {
    const { queries } = this.parts;
    const oldest = yield* rowsOf(queries.selectFrom('events').select(['seq', 'occurred_at']).where('position', 'is not', null)
      .where('position', '<', queries.selectFrom('event_feed').select('last_position')).orderBy('position').limit(PRUNED_PER_STEP));
    const kept = oldest.findIndex(({ occurred_at: at }) => at >= before);
    const pruned = (kept === -1 ? oldest : oldest.slice(0, kept)).map(({ seq }) => seq);
    return pruned.length === 0 ? 0 : yield* changesOf(queries.deleteFrom('events').where('seq', 'in', pruned));
  }
}

function matches({ type, account_id }: EventRow, { types, accountId }: Pick<EventQuery, 'types' | 'accountId'>): boolean {
  return (types === null || types.includes(type as EventType)) && (accountId === null || account_id === accountId);
}
