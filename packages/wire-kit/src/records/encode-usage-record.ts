import { outputTokensOf, promptTokensOf, rfc3339, totalTokensOf, type UsageReport } from '@tollgate/core';
import { timeOrNull } from './time-or-null.js';

/** What was asked, what served it, what it used and what it cost: the same words wherever a usage record is shown. Amounts are strings. */
export function encodeUsageRecord(record: UsageReport) {
  const { usage, service, charge } = record;
  return {
    request_id: record.requestId,
    key_id: record.keyId,
    format: record.format,
    streamed: record.streamed,
    requested_model: record.requestedModel,
    model: service?.servedBy ?? null,
    fallback_used: service?.fallbackUsed ?? false,
    user: record.attribution,
    end_reason: record.reason,
    usage_source: usage.source,
    started_at: rfc3339(record.startedAt),
    admitted_at: timeOrNull(record.admittedAt),
    first_output_at: timeOrNull(record.firstOutputAt),
    ended_at: rfc3339(record.endedAt),
    settled_at: timeOrNull(record.settledAt),
    usage: {
      prompt_tokens: promptTokensOf(usage),
      uncached_prompt_tokens: usage.uncachedPromptTokens,
      cached_prompt_tokens: usage.cachedPromptTokens,
      cache_creation_tokens: usage.cacheCreationTokens,
      output_tokens: outputTokensOf(usage),
      reasoning_tokens: usage.reasoningTokens,
      reasoning_withheld: usage.reasoningWithheld,
      total_tokens: totalTokensOf(usage),
    },
    reserved: record.reserved?.toString() ?? null,
    svc_tokens_debited: charge.amount.toString(),
    svc_cost_usd: charge.usd.toString(),
    svc_tokens_written_off: record.writeOff.toString(),
  };
}
