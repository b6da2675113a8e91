import {
  type Instant, type JsonObject, outputTokensOf, promptTokensOf, rfc3339, totalTokensOf, type UsageRecord, explainCharge, AMOUNT_SCALE,
} from '@tollgate/core';

function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at);
}

/** A usage record as its account may see it: what was asked, what served it, what it used and what it cost. */
export function encodeUsageRecord(record: UsageRecord): JsonObject {
  const { usage, service, charge } = record;
  return {
    id: record.requestId,
    object: 'usage_record',
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
    first_output_at: timeOrNull(record.firstOutputAt),
    ended_at: rfc3339(record.endedAt),
    usage: {
      prompt_tokens: promptTokensOf(usage),
      uncached_prompt_tokens: usage.uncachedPromptTokens,
      cached_prompt_tokens: usage.cachedPromptTokens,
      cache_creation_tokens: usage.cacheCreationTokens,
      output_tokens: outputTokensOf(usage),
      reasoning_tokens: usage.reasoningTokens,
      total_tokens: totalTokensOf(usage),
    },
    svc_tokens_debited: charge.amount.toString(),
    svc_cost_usd: charge.usd.toString(),
    svc_tokens_written_off: record.writeOff.toString(),
  };
}

/** The same record with its charge worked out step by step, so that anyone can check it with a pencil. */
export function encodeExplainedUsageRecord(record: UsageRecord): JsonObject {
  const { lines, sum, rounding, computed } = explainCharge(record);
  return {
    ...encodeUsageRecord(record),
    charge: {
      lines: lines.map(({ tokenClass, count, rate, amount }) => ({ token_class: tokenClass, tokens: count, rate, amount })),
      sum,
      rounding,
      rounding_rule: `up, once, to ${AMOUNT_SCALE} decimal places`,
      computed: computed.toString(),
      written_off: record.writeOff.toString(),
      debited: record.charge.amount.toString(),
      usd_per_service_token: record.usdPerServiceToken,
      usd: record.charge.usd.toString(),
    },
  };
}
