import type { RequestTransfer } from '../billing/ledger-entry.js';
import type { UsageReport } from '../billing/usage-record.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';
import type { BreakdownGrouping, UsageBreakdown } from './usage-breakdown.js';
import type { UsageFilters, UsageScope } from './usage-filters.js';

export interface UsageQuery extends UsageFilters {
  readonly accountId: UsageScope;
  /** At least 1. */
  readonly limit: number;
  /** A cursor of an earlier page of the same account and filters. */
  readonly cursor: string | null;
}

export interface UsagePage {
  /** At most `limit`. Fewer, even none, although there is a next page, where filters let little through. */
  readonly records: readonly UsageReport[];
  /** `null` at the end. */
  readonly nextCursor: string | null;
  /** When the last record that was looked at ended, which filters may have left out; the next page goes on behind it. `null` at the end. */
  readonly searchedTo: Instant | null;
}

export type UsageGrouping = 'day' | 'model' | 'key' | 'user';
/** `day-model`: the day, a space and the serving model. */
export type SummaryGrouping = UsageGrouping | 'day-model';

export interface UsageBucket {
  /** The day, serving model, key id or user; `null` for requests that had none. */
  readonly group: string | null;
  readonly requests: number;
  readonly uncachedPromptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly charged: ServiceTokens;
  /** Exact: charged amounts times the rates they were charged at, as a decimal string. */
  readonly chargedUsd: string;
}

export interface UsageSummaryQuery<Grouping extends SummaryGrouping = SummaryGrouping> {
  readonly accountId: AccountId;
  /** Whole UTC days: from the day of `from` to the day before `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly groupBy: Grouping;
  /** The most buckets: those with the largest charges. Days, and models of days, are never left out. */
  readonly limit: number;
}

/** What an account's requests can be grouped by. Sums by user are kept apart from those by model and key. */
export const BREAKDOWN_DIMENSIONS = ['model', 'key', 'user'] as const;
export type BreakdownDimension = (typeof BREAKDOWN_DIMENSIONS)[number];

export interface UsageBreakdownQuery extends DayRange {
  readonly accountId: AccountId;
  /** By user neither a unit nor a filter goes with it. */
  readonly grouping: BreakdownGrouping<BreakdownDimension>;
  /** How many groups are told apart; at least 1. */
  readonly top: number;
  /** Requests that this model served alone. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
}

export interface TokensUsed {
  readonly day: TokenCount;
  readonly month: TokenCount;
}

/** Usage records as `Ledger.settle` wrote them. */
export interface UsageReader {
  find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null>;
  /** What the ledger holds of a request: charges, write-offs and refunds, in the order of writing; none of a request that has not ended. */
  transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]>;
  /**
   * Newest first by the instant the request ended; of those that ended at the same instant, the one settled last is first.
   * `null` when the cursor is not one of this account's, or of all accounts.
   */
  list(query: UsageQuery): Promise<UsagePage | null>;
  /** Totals per bucket, from roll-ups; days, and models of days, ascending, other groups by charge descending. */
  summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]>;
  /** Totals per period and group, from roll-ups; the groups with the largest charges are told apart. */
  breakdown(query: UsageBreakdownQuery): Promise<UsageBreakdown>;
  /** Tokens of ended requests in the UTC day and month of `at`. */
  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed>;
}
