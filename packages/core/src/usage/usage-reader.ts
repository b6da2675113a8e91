import type { RequestTransfer } from '../billing/ledger-entry.js';
import type { UsageReport } from '../billing/usage-record.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { Instant } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';
import type { BreakdownGrouping, UsageBreakdown } from './usage-breakdown.js';
import type { UsageFilters, UsageScope } from './usage-filters.js';
import type { SummaryGrouping, UsageBucket } from './usage-sums.js';

export interface UsageQuery extends UsageFilters {
  readonly accountId: UsageScope;
  /** At least 1. */
  readonly limit: number;
  /** Cursor of an earlier page with the same account and filters. */
  readonly cursor: string | null;
}

export interface UsagePage {
  /** Any page may have fewer records than `limit`, even none, because filters may exclude most. */
  readonly records: readonly UsageReport[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
  /** Time at which the last examined request ended, even if the filters exclude it; the next page continues there. `null` on the last page. */
  readonly searchedTo: Instant | null;
}

export interface UsageSummaryQuery<Grouping extends SummaryGrouping = SummaryGrouping> {
  readonly accountId: AccountId;
  /** The summary covers whole UTC days, up to the day before `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly groupBy: Grouping;
  /** Maximum number of groups; those with the largest charges are kept. Does not apply to groupings by day. */
  readonly limit: number;
}

/** Sums by user are kept apart from the sums by model and key. */
export const BREAKDOWN_DIMENSIONS = ['model', 'key', 'user'] as const;
export type BreakdownDimension = (typeof BREAKDOWN_DIMENSIONS)[number];

export interface UsageBreakdownQuery extends DayRange {
  readonly accountId: AccountId;
  /** Grouping by user allows neither periods nor filters. */
  readonly grouping: BreakdownGrouping<BreakdownDimension>;
  /** Maximum groups that are listed separately; at least 1. */
  readonly top: number;
  /** Only requests that this model served; `null` for all. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
}

export interface TokensUsed {
  readonly day: TokenCount;
  readonly month: TokenCount;
}

export interface SlicesQuery {
  readonly accountId: UsageScope;
  readonly slices: readonly {
    readonly from: Instant;
    /** Exclusive. */
    readonly to: Instant;
  }[];
  /** Maximum requests that are read per slice. */
  readonly perSlice: number;
}

/** Times of one request, as they were before any late settlement. */
export interface TimedRequest {
  /** Index of the slice in which the request ended. */
  readonly slice: number;
  /** Model that served the request. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
  readonly startedAt: Instant;
  readonly firstOutputAt: Instant | null;
}

export interface UsageReader {
  find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null>;
  /** Charges, write-offs and refunds in the order of writing; empty before the request ends. */
  transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]>;
  /** Newest first by end, then by settlement. `null` if the cursor is malformed or belongs to another scope. */
  list(query: UsageQuery): Promise<UsagePage | null>;
  /** Sums from daily roll-ups. Groups by day, or by day and model, are in ascending order; other groups are in descending order of charge. */
  summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]>;
  /** From daily roll-ups; lists the groups with the largest charges separately. */
  breakdown(query: UsageBreakdownQuery): Promise<UsageBreakdown>;
  /** The last requests that ended in each slice, at most `perSlice` of each. */
  newestOfSlices(query: SlicesQuery): Promise<readonly TimedRequest[]>;
  /** Tokens of ended requests in the UTC day and month of `at`. */
  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed>;
}
