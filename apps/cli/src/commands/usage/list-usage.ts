import { type ApiKeyId, type ModelSlug, NO_USAGE_FILTERS, outputTokensOf, promptTokensOf, rfc3339 } from '@tollgate/core';
import { encodeOwnedUsageRecord } from '../../encoding/encode-owned-usage-record.js';
import { misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { findAccount } from '../../values/find-account.js';
import type { TimeValue } from '../../values/option-values.js';

export interface UsageListOptions {
  readonly from?: TimeValue;
  readonly to?: TimeValue;
  readonly model?: string;
  readonly key?: string;
  readonly user?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export async function listUsage(session: OperatorSession, idOrEmail: string, options: UsageListOptions): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const now = session.clock.now();
  const page = await session.store.usage.list({
    ...NO_USAGE_FILTERS,
    accountId: id,
    from: options.from?.(now) ?? null,
    to: options.to?.(now) ?? null,
    model: (options.model ?? null) as ModelSlug | null,
    keyId: (options.key ?? null) as ApiKeyId | null,
    attribution: options.user ?? null,
    limit: options.limit,
    cursor: options.cursor ?? null,
  });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of this account and these filters');
  return {
    json: { usage: page.records.map(encodeOwnedUsageRecord), next_cursor: page.nextCursor },
    lines: [
      ...table(['REQUEST', 'ENDED', 'MODEL', 'PROMPT', 'OUTPUT', 'CHARGED', 'USD', 'END'], page.records.map((record) => [
        record.requestId, rfc3339(record.endedAt), record.service?.servedBy ?? null, promptTokensOf(record.usage), outputTokensOf(record.usage),
        record.charge.amount.toString(), record.charge.usd.toString(), record.reason,
      ])),
      ...(page.nextCursor === null ? [] : [`There are more: --cursor ${page.nextCursor}`]),
    ],
  };
}
