import {
  AMOUNT_SCALE, type CountName, explainCharge, OUTPUT_COUNTS, outputTokensOf, PROMPT_COUNTS, promptTokensOf, type RequestTransfer, rfc3339,
  type SummedCount, totalTokensOf, type UsageBucket, type UsagePage,
  type UsageRecord, type UsageReport, type UsageSums,
} from '@tollgate/core';
import { encodeTransfer } from './encode-ledger-entry.js';
import { timeOrNull } from './encode-time.js';

type SummedName = Exclude<CountName, 'visible_output'>;
export type EncodedTokens = Readonly<Record<'prompt_tokens' | 'output_tokens' | `${SummedName}_tokens`, number>>;

const PROMPT_FIELDS = PROMPT_COUNTS.map(({ name, field }) => [`${name}_tokens`, field] as const);
const OUTPUT_FIELDS = OUTPUT_COUNTS.flatMap(({ name, field }) => (field === 'visibleOutputTokens' ? [] : [[`${name}_tokens`, field] as const]));

/** Names of a usage record's counts, in the order of the record. */
export const TOKEN_FIELDS: readonly string[] = ['prompt_tokens', ...PROMPT_FIELDS.map(([name]) => name), 'output_tokens', ...OUTPUT_FIELDS.map(([name]) => name)];

/** Counts of prompt and output tokens, each followed by its parts. Visible output is omitted: it is output less reasoning. */
export function encodeTokens(counts: Readonly<Record<SummedCount, number>>, outputTokens: number): EncodedTokens {
  const encoded: Record<string, number> = { prompt_tokens: promptTokensOf(counts) };
  for (const [name, field] of PROMPT_FIELDS) encoded[name] = counts[field];
  encoded['output_tokens'] = outputTokens;
  for (const [name, field] of OUTPUT_FIELDS) encoded[name] = counts[field];
  return encoded as EncodedTokens;
}

/** The fields that all views of a record share. Amounts are strings. */
function encodeUsageRecord(record: UsageReport) {
  const { usage, service, charge } = record;
  return {
    request_id: record.requestId,
    key_id: record.keyId,
    format: record.format,
    streamed: record.streamed,
    requested_model: record.requestedModel,
    model: service?.servedBy ?? null,
    fallback_used: service?.fallbackUsed ?? false,
    price_list: service?.priceVersion?.list ?? null,
    price_version: service?.priceVersion?.version ?? null,
    user: record.attribution,
    end_reason: record.reason,
    usage_source: usage.source,
    started_at: rfc3339(record.startedAt),
    admitted_at: timeOrNull(record.admittedAt),
    first_output_at: timeOrNull(record.firstOutputAt),
    ended_at: rfc3339(record.endedAt),
    settled_at: rfc3339(record.settledAt),
    usage: {
      ...encodeTokens(usage, outputTokensOf(usage)),
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

/** The steps in which a charge is calculated. Amounts and rates are strings. */
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

export function encodeAccountUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, ...encodeUsageRecord(record) };
}

/** The record as operators see it: with account and upstream. */
export function encodeOperatorUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, account_id: record.accountId, ...encodeUsageRecord(record), upstream: record.service?.upstreamId ?? null };
}

/** Adds the calculation of the charge and the ledger entries to an encoded record. */
export function withChargeExplanation<Encoded extends object>(encoded: Encoded, record: UsageReport, transfers: readonly RequestTransfer[]) {
  return { ...encoded, charge: encodeChargeExplanation(record), ledger: transfers.map(encodeTransfer) };
}

export function encodeUsagePage<Encoded>({ records, nextCursor, searchedTo }: UsagePage, encode: (record: UsageReport) => Encoded) {
  return { object: 'list' as const, data: records.map(encode), has_more: nextCursor !== null, next_cursor: nextCursor, searched_to: timeOrNull(searchedTo) };
}

type EncodableSums = Omit<UsageSums, 'chargedUsd'> & { readonly chargedUsd: UsageBucket['chargedUsd'] | UsageSums['chargedUsd'] };

/** Sums of usage; counts are numbers, amounts are strings. */
export function encodeUsageSums(sums: EncodableSums) {
  return {
    requests: sums.requests,
    ...encodeTokens(sums, sums.outputTokens),
    svc_tokens_debited: sums.charged.toString(),
    svc_cost_usd: sums.chargedUsd.toString(),
  };
}

export function encodeUsageBucket({ group, ...sums }: UsageBucket) {
  return { group, ...encodeUsageSums(sums) };
}
