import {
  AMOUNT_SCALE, type Banner, type Block, explainCharge, type IncidentLimit, type Instant, type JsonObject, maintenanceBanner,
  maintenanceStateAt, maintenanceText, outputTokensOf, type PlanLimits, promptTokensOf, type RecordedIncidentLimit,
  type RecordedMaintenance, type RequestTransfer, rfc3339, totalTokensOf, type UsageBucket, type UsagePage, type UsageRecord,
  type UsageReport, type UsageSums,
} from '@tollgate/core';

/** An instant as RFC 3339 text in UTC; null stays null. */
export function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at);
}

/** The request, the model that served it, its usage and its cost, with the same names wherever a usage record is shown. Amounts are strings. */
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
      reasoning_omitted: service?.omitted?.includes('reasoning') ?? false,
      settings_omitted: service?.omitted ?? [],
      total_tokens: totalTokensOf(usage),
    },
    reserved: record.reserved?.toString() ?? null,
    svc_tokens_debited: charge.amount.toString(),
    svc_cost_usd: charge.usd.toString(),
    svc_tokens_written_off: record.writeOff.toString(),
  };
}

/** The charge of a usage record worked out step by step, so that anyone can check it with a pencil. Amounts and rates are strings. */
export function encodeChargeExplanation(record: UsageRecord) {
  const { lines, sum, rounding, computed } = explainCharge(record);
  return {
    lines: lines.map(({ tokenClass, count, rate, amount }) => ({ token_class: tokenClass, tokens: count, rate, amount })),
    sum,
    rounding,
    rounding_rule: `up, once, to ${AMOUNT_SCALE} decimal places`,
    computed: computed.toString(),
    written_off: record.writeOff.toString(),
    purchase: record.purchase === null ? null : {
      first_request_id: record.purchase.firstRequestId, charged_with_other_requests: record.purchase.covered.toString(),
    },
    debited: record.charge.amount.toString(),
    usd_per_service_token: record.usdPerServiceToken,
    usd: record.charge.usd.toString(),
  };
}

/** A usage record as its account may see it, which knows whose it is. */
export function encodeAccountUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, ...encodeUsageRecord(record) };
}

/** A usage record as operators see it, with the account that it belongs to and the upstream that served. */
export function encodeOperatorUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, account_id: record.accountId, ...encodeUsageRecord(record), upstream: record.service?.upstreamId ?? null };
}

function encodeTransfer({ kind, amount, reference, at }: RequestTransfer) {
  return { kind, amount: amount.toString(), reference, at: rfc3339(at) };
}

/** A record as one of the encoders above shows it, with its charge explained and what the ledger holds of it. */
export function withChargeExplanation<Encoded extends object>(encoded: Encoded, record: UsageReport, transfers: readonly RequestTransfer[]) {
  return { ...encoded, charge: encodeChargeExplanation(record), ledger: transfers.map(encodeTransfer) };
}

/** A page of usage records, each as `encode` shows it. */
export function encodeUsagePage<Encoded>({ records, nextCursor, searchedTo }: UsagePage, encode: (record: UsageReport) => Encoded) {
  return { object: 'list' as const, data: records.map(encode), has_more: nextCursor !== null, next_cursor: nextCursor, searched_to: timeOrNull(searchedTo) };
}

type EncodableSums = Omit<UsageSums, 'chargedUsd'> & { readonly chargedUsd: UsageBucket['chargedUsd'] | UsageSums['chargedUsd'] };

/** Totals of some requests. Counts are numbers, amounts strings. */
export function encodeUsageSums(sums: EncodableSums) {
  return {
    requests: sums.requests,
    prompt_tokens: sums.uncachedPromptTokens + sums.cachedPromptTokens + sums.cacheCreationTokens,
    uncached_prompt_tokens: sums.uncachedPromptTokens,
    cached_prompt_tokens: sums.cachedPromptTokens,
    cache_creation_tokens: sums.cacheCreationTokens,
    output_tokens: sums.outputTokens,
    reasoning_tokens: sums.reasoningTokens,
    svc_tokens_debited: sums.charged.toString(),
    svc_cost_usd: sums.chargedUsd.toString(),
  };
}

/** The totals of one group of requests. */
export function encodeUsageBucket({ group, ...sums }: UsageBucket) {
  return { group, ...encodeUsageSums(sums) };
}

/** What is on top of every page of the dashboard; `null` where nothing is. */
export function encodeBanner(banner: Banner | null) {
  if (banner === null) return null;
  const { kind, state, from, until, text } = banner;
  return { kind, state, from: rfc3339(from), until: timeOrNull(until), text };
}

/** The limit of one model by its public names; null where there is none. */
export function encodeIncidentLimit(limit: IncidentLimit) {
  return {
    model: limit.model,
    requests_per_minute: limit.requestsPerMinute,
    tokens_per_minute: limit.tokensPerMinute,
    concurrent_requests: limit.concurrentRequests,
    expires_at: timeOrNull(limit.expiresAt),
  };
}

/** A block as operators read it. Its id is its subject: an account, a key, or a network in canonical form. */
export function encodeBlock({ target: { kind, subject }, reason, blockedBy, blockedAt, expiresAt }: Block): JsonObject {
  return { id: subject, object: 'block', kind, reason, blocked_by: blockedBy, blocked_at: rfc3339(blockedAt), expires_at: timeOrNull(expiresAt) };
}

const OFF = { object: 'maintenance', state: 'off', from: null, until: null, message: null, text: null, banner: null, set_by: null, set_at: null } as const;

/** Maintenance as operators read it; `text` is what clients read while it lasts, `banner` what the dashboard shows to owners now. */
export function encodeMaintenance(maintenance: RecordedMaintenance | null, now: Instant): JsonObject {
  const state = maintenanceStateAt(maintenance, now);
  if (maintenance === null || state === 'off') return OFF;
  const { startsAt, endsAt, message, setBy, setAt } = maintenance;
  return {
    ...OFF, state, from: rfc3339(startsAt), until: timeOrNull(endsAt), message, text: maintenanceText(maintenance),
    banner: encodeBanner(maintenanceBanner(maintenance, now)), set_by: setBy, set_at: rfc3339(setAt),
  };
}

/** An incident limit as operators read it. */
export function encodeRecordedLimit(limit: RecordedIncidentLimit): JsonObject {
  return { object: 'incident_limit', ...encodeIncidentLimit(limit), set_at: rfc3339(limit.setAt), set_by: limit.setBy };
}

/** The limits of a plan by their public names; null where there is none. */
export function encodePlanLimits(limits: PlanLimits) {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
    max_context_tokens: limits.maxContextTokens,
    api_keys: limits.activeKeys,
    tokens_per_day: limits.tokensPerDay,
    tokens_per_month: limits.tokensPerMonth,
  };
}
