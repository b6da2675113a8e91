import { MAX_TOP_GROUPS, PAGE_SIZES, PERIOD_UNITS } from '@tollgate/core';
import { z } from 'zod';
import { cursor, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { chargeExplanation, count, endReason, requestTransfers, usageRecord, usageSums } from '../shapes/usage.js';

/** Unix seconds, RFC 3339, or a UTC day, which stands for its first instant. */
const moment = z.string().max(64).optional();

/** Requests that ended at or after `start` and before `end`. */
const period = { start: moment.describe('Requests that ended at or after this time: Unix seconds, RFC 3339, or a UTC day.'), end: moment.describe('Requests that ended before this time, in the same forms.') };

/** Filters of lists and exports. */
const filters = {
  ...period,
  model: z.string().max(256).optional().describe('Only of the model that served, by its slug.'),
  key_id: id.optional().describe('Only of this API key.'),
  user: z.string().max(1024).optional().describe('Only of this user, by the client’s own name.'),
  end_reason: endReason.optional().describe('Only of requests that ended so.'),
  min_charge: z.string().max(32).optional().describe('Only of requests that were charged at least this many service tokens.'),
};

const account = id.optional();
const format = z.enum(['csv', 'ndjson']).default('csv');
/** Whether a CSV file begins with a byte order mark, which marks it as UTF-8 for spreadsheets. */
const bom = z.enum(['0', '1']).default('1');

const usageListQuery = z.strictObject({ ...filters, limit: pageLimit(PAGE_SIZES.usage.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') });
export const allUsageListQuery = z.strictObject({ ...filters, account: account.describe('Only of this account.'), limit: pageLimit(PAGE_SIZES.usage.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') });
const usageExportQuery = z.strictObject({ ...filters, format: format.describe('The kind of file.'), bom: bom.describe('Whether a CSV file begins with a byte order mark, by which spreadsheets recognise UTF-8.') });
export const allUsageExportQuery = z.strictObject({ ...filters, account: account.describe('Only of this account.'), format: format.describe('The kind of file.'), bom: bom.describe('Whether a CSV file begins with a byte order mark, by which spreadsheets recognise UTF-8.') });

/** Number of groups with the largest charges that are listed separately; the others form one bucket. Default: five with a period, otherwise 1,000. */
const top = z.coerce.number().int().min(1).max(MAX_TOP_GROUPS).optional();

/**
 * `group_by` is `day`, `week` or `month`; `model`, `key` or `user`; or a period with `model` or `key`: `week,model`. `user` cannot be combined with a
 * period or with filters.
 */
const usageSummaryQuery = z.strictObject({
  ...period, group_by: z.string().max(32).optional().describe('What each group has in common: `day`, `week` or `month`; `model`, `key`, `user` or `account`; or a period and one of these, as `week,model`.'), top: top.describe('How many groups are listed separately, by their charge; the others are one bucket.'), model: z.string().max(256).optional().describe('Only of the model that served, by its slug.'), key_id: id.optional().describe('Only of this API key.'),
});

/**
 * As `usageSummaryQuery`, but with `account` in place of the groups `key` and `user`. With the filter `account`, the groups are those of
 * `usageSummaryQuery`.
 */
export const allUsageSummaryQuery = usageSummaryQuery.extend({ account: account.describe('Only of this account.') });

/** The totals of one group in one period. */
const usageBucket = usageSums.extend({
  period: z.string().nullable().describe('`2026-11-22`, for a week its Monday, for a month `2026-11`; `null` where no period was asked for.'),
  group: z.string().nullable().describe('A model or the id of a key, as `group_by` says, or a user; `null` for requests of none, and where none was asked for.'),
  is_other: z.boolean().describe('Combines all groups that are not listed separately.'),
  groups: count.describe('How many groups it combines.'),
});

/** Totals of whole UTC days. The buckets of `data` add up to `total`, and so do those of `series` unless it is empty. */
const usageSummaryReply = z.strictObject({
  object: z.literal('usage_summary').describe('The kind of object.'),
  start: instant.describe('The first instant that is counted.'),
  end: instant.describe('The first instant that is no longer counted.'),
  group_by: z.array(z.enum(['day', 'week', 'month', 'model', 'key', 'user'])).readonly().describe('The period first.'),
  as_of: instant.nullable().describe('Up to when requests are counted that end later; `null`: all that have ended.'),
  total: usageSums.describe('Totals of all requests.'),
  series: z.array(usageBucket).readonly().describe('By period and group: each group over all periods, the one with the largest charge first, the others last. Else empty.'),
  data: z.array(usageBucket).readonly().describe('By period, in each as `series` are.'),
});

/** As `usageSummaryReply`, for one account or for all. The sums of all accounts are computed at most once a minute. */
export const allUsageSummaryReply = usageSummaryReply.extend({
  group_by: z.array(z.enum(['day', 'week', 'month', 'model', 'account', 'key', 'user'])).readonly().describe('What each group has in common; the period first.'),
});

export const firstTokenQuery = z.strictObject({
  ...period, by: z.enum(PERIOD_UNITS).default('day').describe('The length of the periods.'),
  model: z.string().max(256).optional().describe('Only of the model that served, by its slug.'), key_id: id.optional().describe('Only of this API key.'),
});
const firstTokenFigures = z.strictObject({
  requests: count.describe('Requests that were measured: those looked at that had output.'),
  p50: count.describe('Time to the first output that half of them did not exceed, in milliseconds.'),
  p95: count.describe('Time to the first output that 19 of 20 did not exceed, in milliseconds.'),
});

/** Measured over a sample: the time range is divided into parts, and the newest 20 requests of each part are read, at most 7,320 in all. */
export const firstTokenReply = z.strictObject({
  object: z.literal('first_token_summary').describe('The kind of object.'),
  start: instant.describe('The first instant that is counted.'),
  end: instant.describe('The first instant that is no longer counted.'),
  by: z.enum(PERIOD_UNITS).describe('The length of the periods.'),
  is_sampled: z.boolean().describe('Whether there may be requests that were not looked at: of busy times, the newest requests are measured.'),
  total: firstTokenFigures.nullable().describe('Of the whole time; `null` without a measured request.'),
  data: z.array(firstTokenFigures.extend({ period: z.string().describe('`2026-11-22`, for a week its Monday, for a month `2026-11`.') })).readonly().describe('By period, in order; without those that have no measured request.'),
  models: z.array(firstTokenFigures.extend({ model: z.string().describe('The slug of the model that served.') })).readonly().describe('By model, over the whole time, the one with the most requests first.'),
});

const ofOneRequest = z.strictObject({ request_id: id.describe('The id of the request.') });
export const operatorRecord = usageRecord.extend({
  account_id: id.describe('The account.'),
  upstream: z.string().nullable().describe('The upstream of the catalogue that served.'),
});
export const explainedOperatorRecord = operatorRecord.extend({ charge: chargeExplanation.describe('How the charge was computed.'), ledger: requestTransfers.describe('What was booked, in order.') });
/** Media types of an export. */
export const USAGE_FILES = ['text/csv', 'application/x-ndjson'] as const;

/**
 * A page may have few records or none although another page follows. `searched_to` is when the last examined request ended; `null` on the last page.
 */
function usagePageOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ searched_to: instant.nullable().describe('When the last record that was looked at ended; `null` at the end.') });
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
  firstTokenSummary: defineRoute({
    method: 'get', path: '/usage/first-token', access: 'owner', summary: 'Times to the first token by day, week or month and by model: median and 95th percentile of up to about 5,000 requests.',
    query: firstTokenQuery, reply: firstTokenReply,
  }),
  exportUsage: defineRoute({
    method: 'get', path: '/usage/export', access: 'owner', summary: 'All usage records of a period as a file. One export of a person runs at a time.',
    query: usageExportQuery, produces: USAGE_FILES,
  }),
  readUsage: defineRoute({
    method: 'get', path: '/usage/{request_id}', access: 'owner', summary: 'One usage record with its charge explained, and its ledger entries.',
    params: ofOneRequest, reply: usageRecord.extend({ charge: chargeExplanation.describe('How the charge was computed.'), ledger: requestTransfers.describe('What was booked, in order.') }),
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
  allFirstTokenSummary: defineRoute({
    method: 'get', path: '/operator/usage/first-token', access: 'operator', summary: 'Times to the first token of all accounts, or of one, as their owner has them.',
    query: firstTokenQuery.extend({ account: account.describe('Only of this account.') }), reply: firstTokenReply,
  }),
  exportAllUsage: defineRoute({
    method: 'get', path: '/operator/usage/export', access: 'operator', summary: 'All usage records of all accounts, or of one, as a file.',
    query: allUsageExportQuery, produces: USAGE_FILES,
  }),
  readAnyUsage: defineRoute({
    method: 'get', path: '/operator/usage/{request_id}', access: 'operator', summary: 'One usage record of any account with its charge explained, and its ledger entries.',
    params: ofOneRequest, reply: explainedOperatorRecord,
  }),
} as const;
