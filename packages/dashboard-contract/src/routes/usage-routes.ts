import { END_REASONS, OUTPUT_COUNTS, PAGE_SIZES, PROMPT_COUNTS, TOKEN_CLASSES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, fieldsOf, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';

const count = z.number().int().min(0);

const endReason = z.enum(END_REASONS);

/** Prompt and output, each followed by its parts; visible output is the output without reasoning. */
const tokenCounts = {
  prompt_tokens: count,
  ...fieldsOf(PROMPT_COUNTS.map(({ name }) => `${name}_tokens` as const), count),
  output_tokens: count,
  ...fieldsOf(OUTPUT_COUNTS.flatMap(({ name }) => (name === 'visible_output' ? [] : [`${name}_tokens` as const])), count),
};

/** Unix seconds, RFC 3339, or a UTC day (its first instant). */
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
/** True if a CSV file begins with a byte order mark, which makes spreadsheets read UTF-8. */
const bom = z.enum(['0', '1']).default('1');

const usageListQuery = z.strictObject({ ...filters, limit: pageLimit(PAGE_SIZES.usage.dashboard), cursor });
export const allUsageListQuery = z.strictObject({ ...filters, account, limit: pageLimit(PAGE_SIZES.usage.dashboard), cursor });
const usageExportQuery = z.strictObject({ ...filters, format, bom });
const allUsageExportQuery = z.strictObject({ ...filters, account, format, bom });

/** Number of groups listed separately, by charge; the others are combined. Default: five with a period, otherwise all. */
const top = z.coerce.number().int().min(1).max(20).optional();

/**
 * `day`, `week` or `month`; `model`, `key` or `user`; or a period with `model` or `key`: `week,model`. `user` cannot be combined with a
 * period or a filter.
 */
const usageSummaryQuery = z.strictObject({
  ...period, group_by: z.string().max(32).optional(), top, model: z.string().max(256).optional(), key_id: id.optional(),
});

/** Has `account` besides `key` and `user`, which require it. With `account`, the summary is that of its owner. */
const allUsageSummaryQuery = usageSummaryQuery.extend({ account });

/** One accepted request, as `GET /v1/usage` shows it. */
const usageRecord = z.strictObject({
  id,
  object: z.literal('usage_record'),
  request_id: id,
  key_id: id.nullable(),
  format: z.enum(['chat', 'messages', 'responses']).nullable(),
  streamed: z.boolean(),
  requested_model: z.string(),
  model: z.string().nullable(),
  fallback_used: z.boolean(),
  user: z.string().nullable(),
  end_reason: endReason,
  usage_source: z.enum(['reported', 'counted', 'checkpoint']),
  started_at: instant,
  /** When its reservation was made. */
  admitted_at: instant.nullable(),
  first_output_at: instant.nullable(),
  ended_at: instant,
  /** Time of the last booking; `null` in records from before this was stored. */
  settled_at: instant.nullable(),
  usage: z.strictObject({
    ...tokenCounts, reasoning_withheld: z.boolean(), reasoning_omitted: z.boolean(), settings_omitted: z.array(z.string()).readonly(), total_tokens: count,
  }),
  /** Service tokens that were set aside at most. */
  reserved: amount.nullable(),
  svc_tokens_debited: amount,
  svc_cost_usd: amount,
  svc_tokens_written_off: amount,
});

/** The ledger's entries of one request in order: charges, write-offs and refunds, with positive amounts. */
const requestTransfers = z.array(z.strictObject({
  kind: z.enum(['charge', 'write-off', 'late-charge', 'late-write-off', 'refund']),
  amount,
  /** Of a refund. */
  reference: z.string().nullable(),
  at: instant,
})).readonly();

/** Derivation of a charge: tokens times rate per class, sum, and rounding. */
const chargeExplanation = z.strictObject({
  lines: z.array(z.strictObject({ token_class: z.enum(TOKEN_CLASSES.map(({ name }) => name)), tokens: count, rate: amount, amount })).readonly(),
  sum: amount,
  rounding: amount,
  rounding_rule: z.string(),
  computed: amount,
  written_off: amount,
  /** Of a request that shares its purchase with others. */
  purchase: z.strictObject({ first_request_id: z.string(), charged_with_other_requests: amount }).nullable(),
  debited: amount,
  usd_per_service_token: amount,
  usd: amount,
});

/** Totals of some requests. */
const usageSums = z.strictObject({
  requests: count,
  ...tokenCounts,
  svc_tokens_debited: amount,
  svc_cost_usd: amount,
});

/** The totals of one group in one period. */
const usageBucket = usageSums.extend({
  /** `2026-11-22`, a week's Monday, or a month as `2026-11`; `null` without a period. */
  period: z.string().nullable(),
  /** A model, key id or user, as in `group_by`; `null` for requests without one, and without a group. */
  group: z.string().nullable(),
  /** Stands for all groups that are not told apart. */
  is_other: z.boolean(),
  /** How many groups it stands for. */
  groups: count,
});

/** Totals of whole UTC days. The buckets of `data` add up to `total`, and so do those of `series`. */
const usageSummaryReply = z.strictObject({
  object: z.literal('usage_summary'),
  start: instant,
  end: instant,
  /** The period first. */
  group_by: z.array(z.enum(['day', 'week', 'month', 'model', 'key', 'user'])).readonly(),
  /** Requests that ended later are not included; `null`: all are. */
  as_of: instant.nullable(),
  total: usageSums,
  /** Each group over all periods, by charge, the combined others last. Empty unless grouped by period and group. */
  series: z.array(usageBucket).readonly(),
  /** By period, in each as `series` are. */
  data: z.array(usageBucket).readonly(),
});

/** Of all accounts, updated at most once a minute, or of one. */
const allUsageSummaryReply = usageSummaryReply.extend({
  group_by: z.array(z.enum(['day', 'week', 'month', 'model', 'account', 'key', 'user'])).readonly(),
});

const ofOneRequest = z.strictObject({ request_id: id });
export const operatorRecord = usageRecord.extend({
  account_id: id,
  /** The upstream of the catalogue that served. */
  upstream: z.string().nullable(),
});
export const explainedOperatorRecord = operatorRecord.extend({ charge: chargeExplanation, ledger: requestTransfers });
const FILES = ['text/csv', 'application/x-ndjson'] as const;

/** A page may be sparse or empty and still have a next one: `searched_to` is the end time of the last searched record, `null` at the end. */
function usagePageOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ searched_to: instant.nullable() });
}

export const usageRoutes = {
  listUsage: defineRoute({
    method: 'get', path: '/usage', access: 'owner', summary: 'Usage records of the account, newest first. A page may be empty and have a next one.',
    query: usageListQuery, reply: usagePageOf(usageRecord),
  }),
  usageSummary: defineRoute({
    method: 'get', path: '/usage/summary', access: 'owner', summary: 'Totals of whole UTC days by period, by model, key or user, or by period and model or key.',
    query: usageSummaryQuery, reply: usageSummaryReply,
  }),
  exportUsage: defineRoute({
    method: 'get', path: '/usage/export', access: 'owner', summary: 'All usage records of a period as a file. One export of a person runs at a time.',
    query: usageExportQuery, produces: FILES,
  }),
  readUsage: defineRoute({
    method: 'get', path: '/usage/{request_id}', access: 'owner', summary: 'One usage record with its charge explained, and what the ledger holds of it.',
    params: ofOneRequest, reply: usageRecord.extend({ charge: chargeExplanation, ledger: requestTransfers }),
  }),
  listAllUsage: defineRoute({
    method: 'get', path: '/operator/usage', access: 'operator', summary: 'Usage records of all accounts, or of one, newest first.',
    query: allUsageListQuery, reply: usagePageOf(operatorRecord),
  }),
  allUsageSummary: defineRoute({
    method: 'get', path: '/operator/usage/summary', access: 'operator',
    summary: 'Totals of whole UTC days over all accounts by period, by model or account, or by period and model or account; of one account, as its owner has them.',
    query: allUsageSummaryQuery, reply: allUsageSummaryReply,
  }),
  exportAllUsage: defineRoute({
    method: 'get', path: '/operator/usage/export', access: 'operator', summary: 'All usage records of all accounts, or of one, as a file.',
    query: allUsageExportQuery, produces: FILES,
  }),
  readAnyUsage: defineRoute({
    method: 'get', path: '/operator/usage/{request_id}', access: 'operator', summary: 'One usage record of any account with its charge explained, and what the ledger holds of it.',
    params: ofOneRequest, reply: explainedOperatorRecord,
  }),
} as const;
