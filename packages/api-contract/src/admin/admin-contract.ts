import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, id, instant, pageOf, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { balance } from '../shapes/account.js';
import { accountCursor, accountFilter } from '../shapes/account-filter.js';
import { priceList } from '../shapes/price-list.js';
import { accountTerms, moneyAct, operatorAccount, plan } from '../routes/operator-account-routes.js';
import { apiKey, model } from '../routes/key-routes.js';
import { machine } from '../routes/machine-routes.js';
import { allUsageExportQuery, allUsageListQuery, allUsageSummaryQuery, allUsageSummaryReply, explainedOperatorRecord, firstTokenQuery, firstTokenReply, operatorRecord, USAGE_FILES } from '../routes/usage-routes.js';
import { accountParams, ofAccount } from './account-reference.js';
import { accountChanges, keyChanges, moneyChanges, platformRoutes } from './admin-changes.js';
import { defineAdminRoute } from './admin-route.js';
import { eventRoutes } from './event-routes.js';
import { adminPaymentRoutes } from './payment-routes.js';
import { signInLinkRoutes } from './sign-in-link-routes.js';
import { adminStatementRoutes } from './statement-routes.js';
import { adminTopUpRoutes } from './top-up-routes.js';
import { usageEntry } from './usage-entry.js';
import { adminVoucherRoutes } from './voucher-routes.js';
import { adminWebhookRoutes } from './webhook-routes.js';

const params = accountParams;
const count = z.number().int().min(0);

const FILTERS = Object.keys(accountFilter) as (keyof typeof accountFilter)[];

const accountRoutes = {
  listAccounts: defineAdminRoute({
    method: 'get', path: '/accounts', access: 'accounts:read', summary: 'Accounts, narrowed and ordered; without a filter all of them, oldest first. With `updated_after`, those that were changed after it, least recently changed first.',
    query: z.strictObject({
      external_id: text(220).optional().describe('Only the account with this id of yours.'), email: text(254).optional().describe('Only the account with this address.'),
      ...accountFilter,
      status: operatorAccount.shape.status.optional(), updated_after: instant.optional().describe('Only accounts whose own fields or standing were changed after it.'),
      limit: pageLimit(PAGE_SIZES.accounts.admin).describe('How many items the page has.'), cursor: accountCursor.describe('The `next_cursor` of the page before.'),
    }).refine(({ external_id: externalId, email: address, updated_after: after }) => (externalId ?? address) === undefined || after === undefined, 'updated_after cannot be combined with external_id or email')
      .refine((query) => (query.external_id ?? query.email ?? query.updated_after) === undefined || FILTERS.every((name) => query[name] === undefined), `external_id, email and updated_after cannot be combined with ${FILTERS.join(', ')}`),
    reply: pageOf(operatorAccount),
  }),
  readAccount: defineAdminRoute({
    method: 'get', path: '/accounts/{id}', access: 'accounts:read', summary: 'One account with its limits and their current use.', params, reply: accountTerms,
  }),
  readBalance: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/balance', access: 'accounts:read', summary: 'The balance of an account.',
    params, reply: balance.extend({ object: z.literal('balance').describe('The kind of object.'), account_id: id.describe('The id of the account.'), usd_per_service_token: amount.describe('US dollars that one service token is worth.') }),
  }),
  listLedger: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/ledger', access: 'accounts:read', summary: 'All that was booked on an account without a request, and refunds of requests, newest first; never charges.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.moneyActs.admin).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }), reply: pageOf(moneyAct),
  }),
  listKeys: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/keys', access: 'accounts:read', summary: 'The keys of an account, newest first, revoked ones included.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.admin).describe('How many items the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.') }), reply: pageOf(apiKey),
  }),
} as const;

const usageRoutes = {
  listUsage: defineAdminRoute({
    method: 'get', path: '/usage', access: 'usage:read', codes: ['cursor_lost'],
    summary: 'Usage records of all accounts, or of one, newest first; a page may be empty and have a next one. With `after`, the feed of settlements in the order of booking.',
    query: allUsageListQuery.extend({
      account: ofAccount('records'), limit: pageLimit(PAGE_SIZES.usage.admin).describe('How many items the page has.'),
      after: cursor.describe('Reads the feed instead, oldest first, and goes only with `limit`: the `next_cursor` of an earlier page of the feed, or empty for its beginning.'),
    }),
    reply: z.union([
      pageOf(operatorRecord).extend({ searched_to: instant.nullable().describe('When the last record that was looked at ended; `null` at the end.') }),
      pageOf(usageEntry).extend({ next_cursor: z.string().nullable().describe('Continues the feed as `after`; `null` while it is empty.') }),
    ]).describe('A page of records, or with `after` of settlements.'),
  }),
  usageSummary: defineAdminRoute({
    method: 'get', path: '/usage/summary', access: 'usage:read',
    summary: 'Totals of whole UTC days over all accounts by period, by model or account, or by period and model or account; of one account also by key or user.',
    query: allUsageSummaryQuery.extend({ account: ofAccount('requests') }), reply: allUsageSummaryReply,
  }),
  firstTokenSummary: defineAdminRoute({
    method: 'get', path: '/usage/first-token', access: 'usage:read',
    summary: 'Times to the first token of all accounts, or of one, by day, week or month and by model: median and 95th percentile of up to about 5,000 requests.',
    query: firstTokenQuery.extend({ account: ofAccount('requests') }), reply: firstTokenReply,
  }),
  exportUsage: defineAdminRoute({
    method: 'get', path: '/usage/export', access: 'usage:read', codes: ['too_many_attempts'], summary: 'All usage records of all accounts, or of one, as a file. One export of a machine runs at a time.',
    query: allUsageExportQuery.extend({ account: ofAccount('records') }), produces: USAGE_FILES,
  }),
  readUsage: defineAdminRoute({
    method: 'get', path: '/usage/{request_id}', access: 'usage:read', summary: 'One usage record of any account with its charge explained, and its ledger entries.',
    params: z.strictObject({ request_id: id.describe('The id of the request.') }), reply: explainedOperatorRecord,
  }),
} as const;

/** State of the gateway that answers. */
const health = z.strictObject({
  object: z.literal('health').describe('The kind of object.'),
  maintenance: z.enum(['off', 'planned', 'on']).describe('Whether the service is in maintenance.'),
  upstreams: z.array(z.strictObject({
    id: z.string().describe('The id of the upstream in the catalogue.'),
    models: count.describe('Models of the catalogue that it serves.'),
    open_circuits: count.describe('Of these, those that no request is sent to for the moment.'),
  })).readonly().describe('The upstreams of the catalogue.'),
  settlements_waiting: count.describe('Settlements that the database has not accepted yet.'),
  ledger: z.strictObject({ checked_at: instant.describe('When the check ended.'), differences: count.describe('How many sums were not as recomputed.') }).nullable().describe('Of the last ledger check; `null` before the first one.'),
});

const serviceRoutes = {
  readMachine: defineAdminRoute({
    method: 'get', path: '/machine', access: 'any', summary: 'The machine that asks: its scopes in force, its networks and when its secrets expire.', reply: machine,
  }),
  listModels: defineAdminRoute({
    method: 'get', path: '/models', access: 'any', summary: 'All models with their prices.', reply: pageOf(model.omit({ in_plan: true })),
  }),
  listPlans: defineAdminRoute({
    method: 'get', path: '/plans', access: 'any', summary: 'The plans of the catalogue.', reply: pageOf(plan),
  }),
  listPriceLists: defineAdminRoute({
    method: 'get', path: '/price-lists', access: 'any', summary: 'The price lists of the catalogue.', reply: pageOf(priceList),
  }),
  readHealth: defineAdminRoute({
    method: 'get', path: '/health', access: 'any', summary: 'Maintenance, upstreams and books, as the gateway that answers knows them.', reply: health,
  }),
} as const;

/** All routes under `/admin/v1`, by the name that handlers use. */
export const adminContract = { ...accountRoutes, ...accountChanges, ...moneyChanges, ...adminPaymentRoutes, ...adminTopUpRoutes, ...adminVoucherRoutes, ...keyChanges, ...signInLinkRoutes, ...usageRoutes, ...adminStatementRoutes, ...eventRoutes, ...adminWebhookRoutes, ...platformRoutes, ...serviceRoutes } as const;
