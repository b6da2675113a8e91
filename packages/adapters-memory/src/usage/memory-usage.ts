import {
  type AccountId, type Instant, type RequestId, type TokensUsed, type UsageBucket, type UsagePage, type UsageQuery, type UsageReader,
  type UsageRecord, type UsageSummaryQuery, startOfUtcDay, utcDayOf,
} from '@tollgate/core';
import { bucketsOf } from './usage-buckets.js';
import type { UsageJournal } from './usage-journal.js';

/** Reads what the memory ledger settled. */
export class MemoryUsage implements UsageReader {
  constructor(private readonly journal: UsageJournal) {}

  find(accountId: AccountId, requestId: RequestId): Promise<UsageRecord | null> {
    return Promise.resolve(this.journal.find(accountId, requestId));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const newestFirst = this.journal.of(query.accountId).toReversed().toSorted((first, second) => second.endedAt - first.endedAt);
    const start = query.cursor === null ? 0 : newestFirst.findIndex((record) => cursorOf(record) === query.cursor) + 1;
    if (query.cursor !== null && start === 0) return null;
    const rest = newestFirst.slice(start).filter((record) => matches(record, query));
    const records = rest.slice(0, query.limit);
    const last = records.at(-1);
    return { records, nextCursor: rest.length > records.length && last !== undefined ? cursorOf(last) : null };
  }

  async summary({ accountId, from, to, groupBy, limit }: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const [start, end] = [startOfUtcDay(from), startOfUtcDay(to)];
    const buckets = bucketsOf(this.journal.of(accountId).filter(({ endedAt }) => endedAt >= start && endedAt < end), groupBy);
    return groupBy === 'day' ? buckets : buckets.slice(0, limit);
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return Promise.resolve(this.journal.tokensOn(accountId, utcDayOf(at)));
  }
}

/** Names a record of its account and of no other. */
function cursorOf({ accountId, requestId }: UsageRecord): string {
  return Buffer.from(JSON.stringify([accountId, requestId])).toString('base64url');
}

function matches(record: UsageRecord, { from, to, model, keyId, attribution }: UsageQuery): boolean {
  return (from === null || record.endedAt >= from)
    && (to === null || record.endedAt < to)
    && (model === null || record.service?.servedBy === model)
    && (keyId === null || record.keyId === keyId)
    && (attribution === null || record.attribution === attribution);
}
