import type { LateSettlement } from '../billing/late-settlement.js';
import type { Ending, RequestFacts } from '../billing/usage-record.js';
import type { Charge } from '../money/charge.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Instant, UtcDay } from '../primitives/time.js';

export const USAGE_ENTRY_KINDS = ['settlement', 'late-settlement'] as const;

export type UsageEntryKind = (typeof USAGE_ENTRY_KINDS)[number];

/** What one settlement booked. A request has one entry, and a second one if it was settled late. */
export interface UsageEntry {
  /** 1, 2, 3 … about in the order of booking, over all accounts. A late settlement follows the settlement of its request. */
  readonly number: number;
  readonly kind: UsageEntryKind;
  /** Day of the booking: a closed day gets no further entry, so a late charge belongs to the day that books it. */
  readonly day: UtcDay;
  readonly facts: RequestFacts;
  /** The ending of a late settlement replaces the ending that the sweep assumed. */
  readonly ending: Ending;
  /** Charge of this booking alone. */
  readonly charge: Charge;
  readonly writeOff: ServiceTokens;
  readonly settledAt: LateSettlement['settledAt'];
}

export interface UsageFeedQuery {
  /** The cursor of an earlier page; `null` reads from the first entry. */
  readonly after: string | null;
  /** At least 1. */
  readonly limit: number;
}

export interface UsageFeedPage {
  readonly outcome: 'page';
  readonly entries: readonly UsageEntry[];
  /** `null` while the feed is empty. */
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export type UsageFeedReading =
  | UsageFeedPage
  /** `after` is not a cursor. */
  | { readonly outcome: 'malformed' }
  /** The cursor's entry is not in this feed: the database was replaced or restored. */
  | { readonly outcome: 'lost' };

/**
 * All settlements in the order of their numbers. Only committed settlements get numbers, so a reader that continues from its cursor misses no entry
 * and reads none twice, however late a transaction commits.
 */
export interface UsageFeed {
  read(query: UsageFeedQuery): Promise<UsageFeedReading>;
  /** Gives numbers to a bounded number of settlements that have none; returns how many. */
  position(): Promise<number>;
  /** Closes all days before `day`: settlements that get their numbers afterwards belong to `day` or a later day. */
  closeDaysBefore(day: UtcDay): Promise<void>;
  /** Stores a bounded number of the missing events about closed days of accounts, each exactly once; returns how many. */
  announceClosedDays(at: Instant): Promise<number>;
}
