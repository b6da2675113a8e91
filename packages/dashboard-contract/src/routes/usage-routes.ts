import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { id, instant, listOf } from '../values.js';
import {
  allUsageExportQuery, allUsageListQuery, allUsageSummaryQuery, allUsageSummaryReply, chargeExplanation, requestTransfers, usageExportQuery, usageListQuery, usageRecord,
  usageSummaryQuery, usageSummaryReply,
} from './usage-values.js';

const ofOneRequest = z.strictObject({ request_id: id });
const operatorRecord = usageRecord.extend({
  account_id: id,
  /** The upstream of the catalogue that served. */
  upstream: z.string().nullable(),
});
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
    params: ofOneRequest, reply: operatorRecord.extend({ charge: chargeExplanation, ledger: requestTransfers }),
  }),
} as const;
