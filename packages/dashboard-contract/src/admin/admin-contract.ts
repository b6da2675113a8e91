import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, id, instant, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { accountTerms, balance, moneyAct, operatorAccount, plan } from '../routes/operator-account-routes.js';
import { apiKey, model } from '../routes/key-routes.js';
import { allUsageListQuery, explainedOperatorRecord, operatorRecord } from '../routes/usage-routes.js';
import { defineAdminRoute } from './admin-route.js';

const params = z.strictObject({ id });
const count = z.number().int().min(0);

const accountRoutes = {
  listAccounts: defineAdminRoute({
    method: 'get', path: '/accounts', access: 'accounts:read', summary: 'All accounts, oldest first.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.accounts.admin), cursor: id.optional() }), reply: pageOf(operatorAccount),
  }),
  readAccount: defineAdminRoute({
    method: 'get', path: '/accounts/{id}', access: 'accounts:read', summary: 'One account with its limits and what is used of them.', params, reply: accountTerms,
  }),
  readBalance: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/balance', access: 'accounts:read', summary: 'The balance of an account.',
    params, reply: balance.extend({ object: z.literal('balance'), account_id: id, usd_per_service_token: amount }),
  }),
  listLedger: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/ledger', access: 'accounts:read', summary: 'Credits, refunds, corrections and forfeiture of an account, newest first; never charges.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.moneyActs.admin), cursor }), reply: pageOf(moneyAct),
  }),
  listKeys: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/keys', access: 'accounts:read', summary: 'The keys of an account, newest first, revoked ones included.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.admin), cursor: id.optional() }), reply: pageOf(apiKey),
  }),
} as const;

const usageRoutes = {
  listUsage: defineAdminRoute({
    method: 'get', path: '/usage', access: 'usage:read', summary: 'Usage records of all accounts, or of one, newest first. A page may be empty and have a next one.',
    query: allUsageListQuery.extend({ limit: pageLimit(PAGE_SIZES.usage.admin) }), reply: pageOf(operatorRecord).extend({ searched_to: instant.nullable() }),
  }),
  readUsage: defineAdminRoute({
    method: 'get', path: '/usage/{request_id}', access: 'usage:read', summary: 'One usage record of any account with its charge explained, and what the ledger holds of it.',
    params: z.strictObject({ request_id: id }), reply: explainedOperatorRecord,
  }),
} as const;

/** What the gateway that answers knows. */
const health = z.strictObject({
  object: z.literal('health'),
  maintenance: z.enum(['off', 'planned', 'on']),
  upstreams: z.array(z.strictObject({
    id: z.string(),
    /** Models of the catalogue that it serves. */
    models: count,
    /** Circuits to which no request is sent at the moment. */
    open_circuits: count,
  })).readonly(),
  /** Settlements that the database has not accepted yet. */
  settlements_waiting: count,
  /** The last check of the books; `null` before the first one. */
  ledger: z.strictObject({ checked_at: instant, differences: count }).nullable(),
});

const serviceRoutes = {
  listModels: defineAdminRoute({
    method: 'get', path: '/models', access: 'any', summary: 'All models with their prices.', reply: pageOf(model.omit({ in_plan: true })),
  }),
  listPlans: defineAdminRoute({
    method: 'get', path: '/plans', access: 'any', summary: 'The plans of the catalogue.', reply: pageOf(plan),
  }),
  readHealth: defineAdminRoute({
    method: 'get', path: '/health', access: 'any', summary: 'Maintenance, upstreams and books, as the gateway that answers knows them.', reply: health,
  }),
} as const;

/** Every route under `/admin/v1`, by the name that handlers call it. */
export const adminContract = { ...accountRoutes, ...usageRoutes, ...serviceRoutes } as const;
