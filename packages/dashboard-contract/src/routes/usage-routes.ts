import { END_REASONS, OUTPUT_COUNTS, PAGE_SIZES, PROMPT_COUNTS, TOKEN_CLASSES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, fieldsOf, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';

const count = z.number().int().min(0);

const endReason = z.enum(END_REASONS);

/** Prompt and output, each with its counts after it; visible output is what reasoning leaves of the output. */
const tokenCounts = {
  prompt_tokens: count,
  ...fieldsOf(PROMPT_COUNTS.map(({ name }) => `${name}_tokens` as const), count),
  output_tokens: count,
  ...fieldsOf(OUTPUT_COUNTS.flatMap(({ name }) => (name === 'visible_output' ? [] : [`${name}_tokens` as const])), count),
};

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
/** Whether a CSV file begins with a byte order mark, by which spreadsheets know that it is UTF-8. */
const bom = z.enum(['0', '1']).default('1');

const usageListQuery = z.strictObject({ ...filters, limit: pageLimit(PAGE_SIZES.usage.dashboard), cursor });
export const allUsageListQuery = z.strictObject({ ...filters, account, limit: pageLimit(PAGE_SIZES.usage.dashboard), cursor });
const usageExportQuery = z.strictObject({ ...filters, format, bom });
const allUsageExportQuery = z.strictObject({ ...filters, account, format, bom });

/** How many groups are told apart, by their charge; the others are one bucket. Five where a period is given too, else all. */
const top = z.coerce.number().int().min(1).max(20).optional();

/**
 * `day`, `week` or `month`, or `model`, `key` or `user`, or one of the former with `model` or `key`: `week,model`. `user` goes neither with a
 * period nor with a filter.
 */
const usageSummaryQuery = z.strictObject({
  ...period, group_by: z.string().max(32).optional(), top, model: z.string().max(256).optional(), key_id: id.optional(),
});

/** The same with `account` instead of `key` and `user`, which require one account: with it the summary is that of its owner. */
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
  /** When the last of it was booked; `null` in records from before this was kept. */
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

/** What the ledger holds of one request, in the order of booking: charges, write-offs and refunds, each with a positive amount. */
const requestTransfers = z.array(z.strictObject({
  kind: z.enum(['charge', 'write-off', 'late-charge', 'late-write-off', 'refund']),
  amount,
  /** Of a refund. */
  reference: z.string().nullable(),
  at: instant,
})).readonly();

/** How a charge came about: each class of tokens times its rate, the sum, and the rounding. */
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
  /** `2026-11-22`, for a week its Monday, for a month `2026-11`; `null` where no period was asked for. */
  period: z.string().nullable(),
  /** A model or the id of a key, as `group_by` says, or a user; `null` for requests of none, and where none was asked for. */
  group: z.string().nullable(),
  /** Stands for all groups that are not told apart. */
  is_other: z.boolean(),
  /** How many groups it stands for. */
  groups: count,
});

/** Totals of whole UTC days. The buckets of `data`, and those of `series`, add up to `total`. */
const usageSummaryReply = z.strictObject({
  object: z.literal('usage_summary'),
  start: instant,
  end: instant,
  /** The period first. */
  group_by: z.array(z.enum(['day', 'week', 'month', 'model', 'key', 'user'])).readonly(),
  /** Up to when requests are counted that end later; `null`: all that have ended. */
  as_of: instant.nullable(),
  total: usageSums,
  /** By period and group: each group over all periods, the one with the largest charge first, the others last. Else empty. */
  series: z.array(usageBucket).readonly(),
  /** By period, in each as `series` are. */
  data: z.array(usageBucket).readonly(),
});

/** The same of all accounts, summed up at most once a minute, or of one. */
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

/** A page may have few records, or none, and a next one: `searched_to` is when the last that was looked at ended, `null` at the end. */
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
