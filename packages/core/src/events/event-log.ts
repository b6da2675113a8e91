import { PAGE_SIZES } from '../primitives/page-sizes.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { AccountEvent, EventId, EventType } from './account-event.js';

export interface EventQuery {
  /** The cursor of an earlier page; `null` reads from the oldest event that is kept. */
  readonly after: string | null;
  /** From 1 to `MAX_EVENT_PAGE`. */
  readonly limit: number;
  /** `null` for all types. */
  readonly types: readonly EventType[] | null;
  /** `null` for all events, including those of the platform. */
  readonly accountId: AccountId | null;
}

export interface EventPage {
  readonly outcome: 'page';
  /** In the order of the feed. May be empty although there are further pages. */
  readonly events: readonly AccountEvent[];
  /** Continues after all events that this page considered, including those that the query excludes; `null` while the feed is empty. */
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export type EventReading =
  | EventPage
  /** `after` is not a cursor. */
  | { readonly outcome: 'malformed' }
  /** The cursor's event is not in this feed: it was pruned, or the database was replaced or restored. */
  | { readonly outcome: 'lost' };

export const MAX_EVENT_PAGE = Math.max(PAGE_SIZES.events.admin.most, PAGE_SIZES.events.commandLine.most);

/**
 * Feed of events. Only committed events have positions, in one order for all readers. A reader that continues from its cursor misses no event and
 * reads none twice, however late a transaction commits. Events of one account are in the order of `accountSequence`.
 */
export interface EventLog {
  read(query: EventQuery): Promise<EventReading>;
  find(id: EventId): Promise<AccountEvent | null>;
  /** Assigns positions to a bounded number of committed events that have none; returns the number. */
  position(): Promise<number>;
  /** Deletes a bounded number of the oldest events before `before`, never the newest event; returns the number. */
  prune(before: Instant): Promise<number>;
}
