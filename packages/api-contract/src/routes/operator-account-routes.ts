import { ACTOR_KINDS, MONEY_ACT_KINDS, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import {
  changeOf, cursor, displayName, email, id, instant, label, listOf, serviceTokens, signedServiceTokens, text, utcDay,
} from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { account, accountInPath, balance } from '../shapes/account.js';
import { accountCursor, accountFilter } from '../shapes/account-filter.js';
import { priceList } from '../shapes/price-list.js';
import { consent } from './consent-routes.js';
import { overview, refusals } from './account-routes.js';
import { apiKey } from './key-routes.js';
import { alertThresholds } from './notification-routes.js';

/** An account as operators see it in lists. */
export const operatorAccount = z.strictObject({
  id: id.describe('The id of the account.'),
  object: z.literal('account').describe('The kind of object.'),
  email: z.string().describe('The address of the owner.'),
  name: z.string().describe('The name of the account.'),
  plan: z.string().describe('The plan that was given, also where the catalogue has it no longer.'),
  price_list: z.string().nullable().describe('The price list that was given, also where the catalogue has it no longer; `null` for the standard prices.'),
  status: z.enum(['active', 'suspended', 'pending-deletion', 'deleted']).describe('Only an active account is served.'),
  standing: z.enum(['good', 'blocked', 'suspended', 'pending-deletion', 'email-unverified', 'deleted']).describe('Why the account is or is not served, in one word.'),
  email_verified: z.boolean().describe('Whether the owner has confirmed the address.'),
  blocked: z.boolean().describe('Whether the account is blocked.'),
  deletion_due_at: instant.nullable().describe('When a scheduled deletion is due; `null` for none.'),
  created_at: instant.describe('When the account was created.'),
  updated_at: instant.describe('When its own fields or its standing last changed; bookings are no change.'),
  external_id: z.string().nullable().describe('The operator’s own id for the account.'),
  metadata: z.record(z.string(), z.string()).describe('The operator’s own notes: at most 16 short texts.'),
  balance: balance.describe('What the account has.'),
}).meta({ id: 'OperatorAccount', description: 'An account as operators and machines see it.' });

const listedAccount = operatorAccount.extend({
  last_used_on: utcDay.nullable().describe('UTC day on which the last request ended, even a free one; `null` if there is none.'),
});

const owner = z.strictObject({
  id: id.describe('The id of the person.'),
  object: z.literal('person').describe('The kind of object.'),
  name: z.string().describe('The name of the person.'),
  email_verified: z.boolean().describe('Whether the person has confirmed the address.'),
  role: z.enum(['owner', 'operator']).describe('Whether the person is an operator of the installation.'),
  factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that are set up.'),
  sessions: z.number().int().min(0).describe('Browsers that are signed in.'),
  created_at: instant.describe('When the person was registered.'),
});

const keyPage = listOf(apiKey);

export const accountTerms = operatorAccount.extend({
  plan_in_force: account.shape.plan.describe('The plan whose limits are in force.'),
  price_list_in_force: z.string().describe('The price list whose rates are charged; `standard` also where the catalogue lacks the list of the account.'),
  limits: account.shape.limits.describe('The limits in force.'),
  used: account.shape.used.describe('Current use of the limits.'),
  standing_reason: z.string().nullable().describe('Why it is suspended, as its owner reads it.'),
  ...alertThresholds,
  consents: z.array(consent).readonly().describe('What the owner has agreed to, oldest first; empty for an account without a person.'),
});

/** An account with everything on its page. */
const accountDetail = accountTerms.extend({
  keys: keyPage.describe('The newest keys.'),
  playground_key_id: id.nullable().describe('Under which usage of the playground is recorded; `null` until its first use.'),
  person: owner.nullable().describe('The owner; `null` until a person has verified the address.'),
  refusals: refusals.describe('Refused requests of the last 24 hours.'),
});

export const moneyAct = z.strictObject({
  object: z.literal('money_act').describe('The kind of object.'),
  kind: z.enum(MONEY_ACT_KINDS).describe('What was booked.'),
  svc_tokens: z.string().describe('Below zero where it lowered the balance.'),
  request_id: z.string().nullable().describe('The request of a refund; `null` for other acts.'),
  reference: z.string().nullable().describe('The reference of the act.'),
  reason: z.string().nullable().describe('Why, in the words of the operator.'),
  at: instant.describe('When it was booked.'),
  by: z.strictObject({ kind: z.enum(ACTOR_KINDS).describe('The kind of actor.'), id: z.string().describe('The id of the actor.') }).nullable().describe('Who booked it, as the audit log has it; `null` where that has no entry.'),
}).meta({ id: 'MoneyAct', description: 'An entry of the ledger that no request led to.' });

/** Fields of a booking by an operator. */
const booking = {
  /** Idempotency key: each reference books one act per account, whatever the kind of the act. */
  reference: label(200).describe('Names the act: it is booked once under its reference. Unique for the account.'),
  reason: label(500).describe('Why, for the ledger.'),
};

const booked = z.strictObject({
  object: z.literal('booking').describe('The kind of object.'),
  outcome: z.enum(['booked', 'repeated']).describe('`repeated`: it was booked before, and nothing is changed.'),
  kind: moneyAct.shape.kind.describe('What was booked.'),
  svc_tokens: z.string().describe('Service tokens; below zero if the balance was lowered.'),
  reference: z.string().describe('The reference of the act.'),
  balance: balance.describe('What the account has now.'),
});

export const plan = z.strictObject({
  id: z.string().describe('The id of the plan in the catalogue.'),
  object: z.literal('plan').describe('The kind of object.'),
  name: z.string().describe('The name of the plan.'),
  limits: account.shape.limits.omit({ models: true }).describe('The limits of the plan.'),
  excluded_models: z.array(z.string()).readonly().describe('Slugs of the models that it leaves out.'),
}).meta({ id: 'Plan', description: 'A plan of the catalogue with its limits.' });

const params = accountInPath;

export const operatorAccountRoutes = {
  listAccounts: defineRoute({
    method: 'get', path: '/operator/accounts', access: 'operator',
    summary: 'Accounts, narrowed and ordered; without a filter all of them, oldest first.',
    query: z.strictObject({ ...accountFilter, limit: pageLimit(PAGE_SIZES.accounts.dashboard).describe('How many items the page has.'), cursor: accountCursor.describe('The `next_cursor` of the page before.') }), reply: listOf(listedAccount),
  }),
  createAccount: defineRoute({
    method: 'post', path: '/operator/accounts', access: 'operator', status: 201, summary: 'Creates an account without a person; the person who verifies its address owns it.',
    body: z.strictObject({ email: email.describe('The address of the owner.'), name: displayName.describe('The name of the account.'), plan: text(100).optional().describe('The id of a plan; the default plan if it is missing.'), email_verified: z.boolean().default(false).describe('Whether the address counts as confirmed.') }), reply: operatorAccount,
  }),
  readAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}', access: 'operator', summary: 'One account: balance, limits, use, keys and person.', params, reply: accountDetail,
  }),
  viewOverview: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/overview', access: 'operator',
    summary: 'The overview that the owner of an account sees. The audit log records this view once a UTC day, and the owner sees the entry.', params, reply: overview,
  }),
  listPlans: defineRoute({
    method: 'get', path: '/operator/plans', access: 'operator', summary: 'The plans of the catalogue, for accounts.', reply: listOf(plan),
  }),
  listPriceLists: defineRoute({
    method: 'get', path: '/operator/price-lists', access: 'operator', summary: 'The price lists of the catalogue, for accounts.', reply: listOf(priceList),
  }),
  changeAccount: defineRoute({
    method: 'patch', path: '/operator/accounts/{id}', access: 'operator', summary: 'Changes name, plan or price list of an account; omitted fields keep their values.',
    params,
    body: changeOf({ name: displayName.optional().describe('The new name.'), plan: text(100).optional().describe('The id of the new plan.'), price_list: text(200).nullable().optional().describe('The id of the new price list; `null` for the standard prices.') }),
    reply: operatorAccount,
  }),
  listKeysOfAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/keys', access: 'operator', summary: 'The keys of an account, newest first.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.dashboard).describe('How many items the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.') }), reply: keyPage,
  }),
  listMoneyActs: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/ledger', access: 'operator', summary: 'All that was booked on an account without a request, and refunds of requests, newest first; never charges.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.moneyActs.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }), reply: listOf(moneyAct),
  }),
  creditAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/credits', access: 'operator', fresh: true, summary: 'Adds service tokens to a balance, once per reference.',
    params, body: z.strictObject({
      svc_tokens: serviceTokens.describe('Service tokens to add.'), ...booking,
      expires_at: instant.nullable().default(null).describe('When what is left of the credit is taken from the balance; `null` for never. In the future.'),
    }), reply: booked,
  }),
  refundRequest: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/refunds', access: 'operator', fresh: true, summary: 'Refunds service tokens for one request, in total at most its charge, once per reference.',
    params, body: z.strictObject({ svc_tokens: serviceTokens.describe('Service tokens to return, at most what the request was charged.'), request_id: id.describe('The request that is refunded.'), ...booking }), reply: booked,
  }),
  correctBalance: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/corrections', access: 'operator', fresh: true,
    summary: 'Raises a balance by a positive amount, or lowers it by a negative one, by at most the available balance; once per reference.',
    params, body: z.strictObject({ svc_tokens: signedServiceTokens.describe('Service tokens to add, or to take if below zero.'), ...booking }), reply: booked,
  }),
} as const;
