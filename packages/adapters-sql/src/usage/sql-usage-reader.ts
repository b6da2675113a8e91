import type {
  AccountId, Instant, RequestId, TokensUsed, UsageBucket, UsagePage, UsageQuery, UsageReader, UsageRecord, UsageScope, UsageSummaryQuery,
} from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { decodeUsageCursor } from './usage-cursor.js';
import { UsageRecordScripts } from './usage-record-scripts.js';
import { UsageSummaryScripts } from './usage-summary-scripts.js';

/** Records that are read in a few milliseconds; on a disk that has none of them at hand, each may take one more. */
const LONGEST_QUICK_PAGE = 100;

/** Usage as settlements wrote it, from any SQL database. */
export class SqlUsageReader implements UsageReader {
  private readonly records: UsageRecordScripts;
  private readonly summaries: UsageSummaryScripts;

  constructor(queries: Queries, private readonly runner: ScriptRunner) {
    this.records = new UsageRecordScripts(queries);
    this.summaries = new UsageSummaryScripts(queries);
  }

  find(accountId: UsageScope, requestId: RequestId): Promise<UsageRecord | null> {
    return this.runner.read(() => this.records.find(accountId, requestId));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const after = query.cursor === null ? null : decodeUsageCursor(query.accountId, query.cursor);
    if (query.cursor !== null && after === null) return null;
    const script = () => this.records.page(query, after);
    return query.limit > LONGEST_QUICK_PAGE ? this.runner.readAside(script) : this.runner.read(script);
  }

  async summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const isLong = await this.runner.read(() => this.summaries.isLong(query));
    const script = () => this.summaries.summary(query);
    return isLong ? this.runner.readAside(script) : this.runner.read(script);
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return this.runner.read(() => this.summaries.tokensUsed(accountId, at));
  }
}
