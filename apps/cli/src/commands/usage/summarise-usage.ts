import { MILLISECONDS_PER_DAY, later, startOfNextUtcDay, startOfUtcDay } from '@tollgate/core';
import { encodeUsageBucket } from '@tollgate/wire-kit';
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
      buckets: buckets.map(encodeUsageBucket),
    },
    lines: table([by.toUpperCase(), 'REQUESTS', 'UNCACHED', 'CACHED', 'CREATED', 'OUTPUT', 'CHARGED', 'USD'], buckets.map((bucket) => [
      bucket.group ?? '(none)', bucket.requests, bucket.uncachedPromptTokens, bucket.cachedPromptTokens, bucket.cacheCreationTokens,
      bucket.outputTokens, bucket.charged.toString(), bucket.chargedUsd,
    ])),
  };
}
