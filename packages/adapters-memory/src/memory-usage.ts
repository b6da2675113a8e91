import {
  type AccountId, ALL_ACCOUNTS, breakdownOf, type Instant, isByDay, NO_USAGE_FILTERS, passesUsageFilters, rankUsage, type RequestId, type RequestTransfer,
  type SlicesQuery, startOfUtcDay, type SummaryGrouping, sumsOfRecord, type TimedRequest, type TokensUsed, type UsageBreakdown, type UsageBreakdownQuery, type UsageBucket, usageBuckets,
  type UsagePage, type UsageQuery, type UsageReader, type UsageRecord, type UsageReport, type UsageScope, type UsageSummaryQuery, utcDayOf,
} from '@tollgate/core';
import type { RequestTransfers } from './request-transfers.js';
import { cellsOf, groupOf } from './usage-cells.js';
import type { UsageJournal } from './usage-journal.js';

function summaryGroupOf(record: UsageRecord, grouping: SummaryGrouping): string | null {
  if (grouping === 'day') return utcDayOf(record.endedAt);
  if (grouping === 'day-model') return `${utcDayOf(record.endedAt)} ${groupOf(record, 'model') ?? ''}`;
  return groupOf(record, grouping);
}

/** Reads the usage records that the memory ledger wrote. */
export class MemoryUsage implements UsageReader {
  constructor(private readonly journal: UsageJournal, private readonly transfers: RequestTransfers) {}

  async find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null> {
    if (accountId !== ALL_ACCOUNTS) return this.journal.find(accountId, requestId);
    return this.journal.all().find((record) => record.requestId === requestId) ?? null;
  }

  async transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]> {
    return await this.find(accountId, requestId) === null ? [] : this.transfers.of(requestId);
  }

  newestOfSlices({ accountId, slices, perSlice }: SlicesQuery): Promise<readonly TimedRequest[]> {
    const newestFirst = this.newestFirst(accountId);
    return Promise.resolve(slices.flatMap(({ from, to }, slice) => newestFirst.filter(({ endedAt }) => endedAt >= from && endedAt < to).slice(0, perSlice)
      .map(({ service, keyId, startedAt, firstOutputAt }) => ({ slice, model: service?.servedBy ?? null, keyId, startedAt, firstOutputAt }))));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const { accountId } = query;
    const newestFirst = this.newestFirst(accountId);
    const start = query.cursor === null ? 0 : newestFirst.findIndex((record) => cursorOf(accountId, record) === query.cursor) + 1;
    if (query.cursor !== null && start === 0) return null;
    const rest = newestFirst.slice(start).filter((record) => passesUsageFilters(record, query));
    const records = rest.slice(0, query.limit);
    const last = records.at(-1);
    if (rest.length === records.length || last === undefined) return { records, nextCursor: null, searchedTo: null };
    return { records, nextCursor: cursorOf(accountId, last), searchedTo: last.endedAt };
  }

  async summary({ accountId, from, to, groupBy, limit }: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const [start, end] = [startOfUtcDay(from), startOfUtcDay(to)];
    const records = this.journal.of(accountId).filter(({ endedAt }) => endedAt >= start && endedAt < end);
    const buckets = usageBuckets(records.map((record) => ({ group: summaryGroupOf(record, groupBy), sums: sumsOfRecord(record) })), groupBy);
    return isByDay(groupBy) ? buckets : buckets.slice(0, limit);
  }

  breakdown({ accountId, from, to, grouping: { unit, group }, top, model, keyId }: UsageBreakdownQuery): Promise<UsageBreakdown> {
    const own = this.journal.of(accountId).filter((record) => passesUsageFilters(record, { ...NO_USAGE_FILTERS, model, keyId }));
    const cells = cellsOf(own, { from, to, unit }, (record) => (group === null ? null : groupOf(record, group)));
    return Promise.resolve(breakdownOf(rankUsage(cells, top)));
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return Promise.resolve(this.journal.tokensOn(accountId, utcDayOf(at)));
  }

  private newestFirst(accountId: UsageScope): readonly UsageReport[] {
    const written = accountId === ALL_ACCOUNTS ? this.journal.all() : this.journal.of(accountId);
    return written.toReversed().toSorted((first, second) => second.endedAt - first.endedAt);
  }
}

/** A cursor that is valid in one scope only. */
function cursorOf(scope: UsageScope, { requestId }: UsageReport): string {
  return Buffer.from(JSON.stringify([scope === ALL_ACCOUNTS ? null : scope, requestId])).toString('base64url');
}
