import type {
  AccountId, Instant, RequestId, RequestTransfer, TokensUsed, UsageBreakdown, UsageBreakdownQuery, UsageBucket, UsagePage, UsageQuery, UsageReader,
  UsageReport, UsageScope, UsageSummaryQuery,
} from '@tollgate/core';
import type { Queries, Script, ScriptRunner } from '../script.js';
import { type DaysQuery, UsageBreakdownScripts, UsageSummaryScripts } from './usage-summary-scripts.js';
import { decodeUsageCursor, requestTransfers, UsageRecordScripts } from './usage-record-scripts.js';

/** Records that are read in a few milliseconds; on a disk that has none of them at hand, each may take one more. */
const LONGEST_QUICK_PAGE = 100;

/** Usage as settlements wrote it, from any SQL database. */
export class SqlUsageReader implements UsageReader {
  private readonly records: UsageRecordScripts;
  private readonly summaries: UsageSummaryScripts;
  private readonly breakdowns: UsageBreakdownScripts;

  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {
    this.records = new UsageRecordScripts(queries);
    this.summaries = new UsageSummaryScripts(queries);
    this.breakdowns = new UsageBreakdownScripts(queries);
  }

  find(accountId: UsageScope, requestId: RequestId): Promise<UsageReport | null> {
    return this.runner.read(() => this.records.find(accountId, requestId));
  }

  transfersOf(accountId: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]> {
    return this.runner.read(() => requestTransfers(this.queries, accountId, requestId));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const after = query.cursor === null ? null : decodeUsageCursor(query.accountId, query.cursor);
    if (query.cursor !== null && after === null) return null;
    const script = () => this.records.page(query, after);
    return query.limit > LONGEST_QUICK_PAGE ? this.runner.readInSharedThread(script) : this.runner.read(script);
  }

  async summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const { accountId, from, to, groupBy } = query;
    return this.readSums({ accountId, from, to, byUser: groupBy === 'user' }, () => this.summaries.summary(query));
  }

  breakdown(query: UsageBreakdownQuery): Promise<UsageBreakdown> {
    const { accountId, from, to, grouping } = query;
    return this.readSums({ accountId, from, to, byUser: grouping.group === 'user' }, () => this.breakdowns.breakdown(query));
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return this.runner.read(() => this.summaries.tokensUsed(accountId, at));
  }

  private async readSums<T>(days: DaysQuery & { readonly byUser: boolean }, script: () => Script<T>): Promise<T> {
    const isLong = await this.runner.read(() => this.summaries.isLong(days));
    return isLong ? this.runner.readInSharedThread(script) : this.runner.read(script);
  }
}
