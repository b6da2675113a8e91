import { MILLISECONDS_PER_DAY, later, startOfNextUtcDay, startOfUtcDay } from '@tollgate/core';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { findAccount } from '../../values/find-account.js';
import type { SummaryOptions } from './usage-commands.js';

const DEFAULT_DAYS = 30;
const MOST_GROUPS = 1_000;

/** Totals per group, the 1,000 with the largest charges at most; the last 30 days and today unless told otherwise. */
export async function summariseUsage(session: OperatorSession, idOrEmail: string, { by, from, to }: SummaryOptions): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const now = session.clock.now();
  const start = from?.(now) ?? later(startOfUtcDay(now), -DEFAULT_DAYS * MILLISECONDS_PER_DAY);
  const buckets = await session.store.usage.summary({ accountId: id, from: start, to: to?.(now) ?? startOfNextUtcDay(now), groupBy: by, limit: MOST_GROUPS });
  return {
    json: {
      group_by: by,
      buckets: buckets.map((bucket) => ({
        group: bucket.group,
        requests: bucket.requests,
        uncached_prompt_tokens: bucket.uncachedPromptTokens,
        cached_prompt_tokens: bucket.cachedPromptTokens,
        cache_creation_tokens: bucket.cacheCreationTokens,
        output_tokens: bucket.outputTokens,
        reasoning_tokens: bucket.reasoningTokens,
        svc_tokens_debited: bucket.charged.toString(),
        svc_cost_usd: bucket.chargedUsd,
      })),
    },
    lines: table([by.toUpperCase(), 'REQUESTS', 'UNCACHED', 'CACHED', 'CREATED', 'OUTPUT', 'CHARGED', 'USD'], buckets.map((bucket) => [
      bucket.group ?? '(none)', bucket.requests, bucket.uncachedPromptTokens, bucket.cachedPromptTokens, bucket.cacheCreationTokens,
      bucket.outputTokens, bucket.charged.toString(), bucket.chargedUsd,
    ])),
  };
}
