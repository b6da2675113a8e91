import { z } from 'zod';
import { amount, cursor, id, instant, pageLimit } from '../values.js';

const count = z.number().int().min(0);

const endReason = z.enum([
  'completed', 'balance_exhausted', 'key_limit_reached', 'client_left', 'provider_failed', 'provider_unavailable', 'request_rejected', 'shutdown',
  'crashed', 'internal_error',
]);

/** Unix seconds, RFC 3339, or a UTC day for its first instant. */
const moment = z.string().max(64).optional();

/** Whose requests ended at or after `start` and before `end`. */
const period = { start: moment, end: moment };

/** What narrows lists and exports. */
const filters = {
  ...period,
  model: z.string().max(256).optional(),
  key_id: id.optional(),
  user: z.string().max(1024).optional(),
  end_reason: endReason.optional(),
  min_charge: z.string().max(32).optional(),
};

const account = id.optional();
const format = z.enum(['csv', 'ndjson']).default('csv');

export const usageListQuery = z.strictObject({ ...filters, limit: pageLimit, cursor });
export const allUsageListQuery = z.strictObject({ ...filters, account, limit: pageLimit, cursor });
export const usageExportQuery = z.strictObject({ ...filters, format });
export const allUsageExportQuery = z.strictObject({ ...filters, account, format });
export const usageSummaryQuery = z.strictObject({ ...period, group_by: z.enum(['day', 'model', 'key', 'user']).optional() });

/** One accepted request, as `GET /v1/usage` shows it. */
export const usageRecord = z.strictObject({
  id,
  object: z.literal('usage_record'),
  request_id: id,
  key_id: id.nullable(),
  format: z.enum(['chat', 'messages']).nullable(),
  streamed: z.boolean(),
  requested_model: z.string(),
  model: z.string().nullable(),
  fallback_used: z.boolean(),
  user: z.string().nullable(),
  end_reason: endReason,
  usage_source: z.enum(['reported', 'counted', 'checkpoint']),
  started_at: instant,
  first_output_at: instant.nullable(),
  ended_at: instant,
  usage: z.strictObject({
    prompt_tokens: count, uncached_prompt_tokens: count, cached_prompt_tokens: count, cache_creation_tokens: count, output_tokens: count,
    reasoning_tokens: count, reasoning_withheld: z.boolean(), total_tokens: count,
  }),
  svc_tokens_debited: amount,
  svc_cost_usd: amount,
  svc_tokens_written_off: amount,
});

/** How a charge came about: each class of tokens times its rate, the sum, and the rounding. */
export const chargeExplanation = z.strictObject({
  lines: z.array(z.strictObject({ token_class: z.enum(['uncached_prompt', 'cached_prompt', 'cache_creation', 'output']), tokens: count, rate: amount, amount })).readonly(),
  sum: amount,
  rounding: amount,
  rounding_rule: z.string(),
  computed: amount,
  written_off: amount,
  debited: amount,
  usd_per_service_token: amount,
  usd: amount,
});

/** The totals of one group of requests. */
const usageBucket = z.strictObject({
  group: z.string().nullable(),
  requests: count, prompt_tokens: count, uncached_prompt_tokens: count, cached_prompt_tokens: count, cache_creation_tokens: count,
  output_tokens: count, reasoning_tokens: count,
  svc_tokens_debited: amount,
  svc_cost_usd: amount,
});

export const usageSummaryReply = z.strictObject({
  object: z.literal('usage_summary'),
  start: instant,
  end: instant,
  group_by: z.enum(['day', 'model', 'key', 'user']),
  data: z.array(usageBucket).readonly(),
  has_more: z.boolean(),
});
