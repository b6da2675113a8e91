import { outputTokensOf, rfc3339, totalTokensOf, type UsageEntry, type UsageFeedPage } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';
import { encodeTokens } from './encode-usage-record.js';

/** The entry as operators and their machines see it. Amounts are strings, and are those of this settlement alone. */
function encodeUsageEntry({ number, kind, day, facts, ending, charge, writeOff, settledAt }: UsageEntry) {
  return {
    object: 'usage_entry' as const,
    number,
    kind,
    day,
    request_id: facts.requestId,
    account_id: facts.accountId,
    key_id: facts.keyId,
    requested_model: facts.requestedModel,
    model: ending.service?.servedBy ?? null,
    user: facts.attribution,
    end_reason: ending.reason,
    ended_at: rfc3339(ending.endedAt),
    settled_at: timeOrNull(settledAt),
    usage: { ...encodeTokens(ending.usage, outputTokensOf(ending.usage)), total_tokens: totalTokensOf(ending.usage) },
    svc_tokens_debited: charge.amount.toString(),
    svc_cost_usd: charge.usd.toString(),
    svc_tokens_written_off: writeOff.toString(),
  };
}

/** A page of the usage feed. `next_cursor` is `null` only while the feed is empty. */
export function encodeUsageFeedPage({ entries, hasMore, nextCursor }: UsageFeedPage) {
  return { object: 'list' as const, data: entries.map(encodeUsageEntry), has_more: hasMore, next_cursor: nextCursor };
}
