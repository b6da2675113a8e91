import { ACTOR_KINDS, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import {
  bothCurrencies, cursor, displayName, email, id, instant, label, listOf, serviceTokens, signedServiceTokens, text,
} from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { account, overview, refusals } from './account-routes.js';
import { apiKey } from './key-routes.js';

export const balance = z.strictObject({ available: bothCurrencies, reserved: bothCurrencies, total: bothCurrencies });

/** An account as operators see it in lists. */
export const operatorAccount = z.strictObject({
  id,
  object: z.literal('account'),
  email: z.string(),
  name: z.string(),
  /** The assigned plan, even if it left the catalogue. */
  plan: z.string(),
  status: z.enum(['active', 'suspended', 'pending-deletion', 'deleted']),
  standing: z.enum(['good', 'blocked', 'suspended', 'pending-deletion', 'email-unverified', 'deleted']),
  email_verified: z.boolean(),
  blocked: z.boolean(),
  deletion_due_at: instant.nullable(),
  created_at: instant,
  balance,
});

/** The person who owns an account. */
const owner = z.strictObject({
  id,
  object: z.literal('person'),
  name: z.string(),
  email_verified: z.boolean(),
  role: z.enum(['owner', 'operator']),
  factors: z.array(z.enum(['totp', 'passkey'])).readonly(),
  /** Browsers that are signed in. */
  sessions: z.number().int().min(0),
  created_at: instant,
});

const keyPage = listOf(apiKey);

/** An account with the terms it is under. */
export const accountTerms = operatorAccount.extend({
  plan_in_force: account.shape.plan,
  limits: account.shape.limits,
  used: account.shape.used,
  /** Why it is suspended, as its owner reads it. */
  standing_reason: z.string().nullable(),
});

/** An account with all that its page shows. */
const accountDetail = accountTerms.extend({
  /** The newest ones. */
  keys: keyPage,
  /** The key of playground usage; `null` before its first use. */
  playground_key_id: id.nullable(),
  /** `null` until a person has verified the address. */
  person: owner.nullable(),
  refusals,
});

/** An entry of the ledger that no request led to. */
export const moneyAct = z.strictObject({
  object: z.literal('money_act'),
  kind: z.enum(['top-up', 'signup-credit', 'refund', 'correction', 'forfeiture']),
  /** Below zero where it lowered the balance. */
  svc_tokens: z.string(),
  request_id: z.string().nullable(),
  reference: z.string().nullable(),
  reason: z.string().nullable(),
  at: instant,
  /** Actor of the booking in the audit trail; `null` without an entry. */
  by: z.strictObject({ kind: z.enum(ACTOR_KINDS), id: z.string() }).nullable(),
});

/** What an operator books. */
const booking = {
  /** A reference books one act per account, of any kind, however often it is sent. */
  reference: label(200),
  reason: label(500),
};

const booked = z.strictObject({
  object: z.literal('booking'),
  /** `repeated`: it was booked before, and nothing is changed. */
  outcome: z.enum(['booked', 'repeated']),
  kind: moneyAct.shape.kind,
  svc_tokens: z.string(),
  reference: z.string(),
  balance,
});

/** A plan of the catalogue. */
export const plan = z.strictObject({
  id: z.string(),
  object: z.literal('plan'),
  name: z.string(),
  limits: account.shape.limits.omit({ models: true }),
  /** Slugs of the models that it leaves out. */
  excluded_models: z.array(z.string()).readonly(),
});

const params = z.strictObject({ id });

export const operatorAccountRoutes = {
  listAccounts: defineRoute({
    method: 'get', path: '/operator/accounts', access: 'operator',
    summary: 'All accounts, oldest first; with `q`, those with this e-mail address, id, or last four characters of a key.',
    query: z.strictObject({ q: text(254).optional(), limit: pageLimit(PAGE_SIZES.accounts.dashboard), cursor: id.optional() }), reply: listOf(operatorAccount),
  }),
  createAccount: defineRoute({
    method: 'post', path: '/operator/accounts', access: 'operator', status: 201, summary: 'Creates an account without a person; the person who verifies its address owns it.',
    body: z.strictObject({ email, name: displayName, plan: text(100).optional(), email_verified: z.boolean().default(false) }), reply: operatorAccount,
  }),
  readAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}', access: 'operator', summary: 'One account: balance, limits, use, keys and person.', params, reply: accountDetail,
  }),
  viewOverview: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/overview', access: 'operator',
    summary: 'The overview that the owner of an account sees. The audit trail records this view once a UTC day, and the owner sees the entry.', params, reply: overview,
  }),
  listPlans: defineRoute({
    method: 'get', path: '/operator/plans', access: 'operator', summary: 'The plans of the catalogue, for accounts.', reply: listOf(plan),
  }),
  changeAccount: defineRoute({
    method: 'patch', path: '/operator/accounts/{id}', access: 'operator', summary: 'Changes name or plan of an account; omitted fields keep their values.',
    params,
    body: z.strictObject({ name: displayName.optional(), plan: text(100).optional() }).refine((change) => Object.keys(change).length > 0, 'must name at least one field'),
    reply: operatorAccount,
  }),
  listKeysOfAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/keys', access: 'operator', summary: 'The keys of an account, newest first.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.dashboard), cursor: id.optional() }), reply: keyPage,
  }),
  listMoneyActs: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/ledger', access: 'operator', summary: 'Credits, refunds, corrections and forfeiture of an account, newest first; never charges.',
    params, query: z.strictObject({ limit: pageLimit(PAGE_SIZES.moneyActs.dashboard), cursor }), reply: listOf(moneyAct),
  }),
  creditAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/credits', access: 'operator', fresh: true, summary: 'Adds service tokens to a balance, once per reference.',
    params, body: z.strictObject({ svc_tokens: serviceTokens, ...booking }), reply: booked,
  }),
  refundRequest: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/refunds', access: 'operator', fresh: true, summary: 'Refunds service tokens for one request, in total at most its charge, once per reference.',
    params, body: z.strictObject({ svc_tokens: serviceTokens, request_id: id, ...booking }), reply: booked,
  }),
  correctBalance: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/corrections', access: 'operator', fresh: true,
    summary: 'Raises a balance by a positive amount, or lowers it by a negative one, by at most the available balance; once per reference.',
    params, body: z.strictObject({ svc_tokens: signedServiceTokens, ...booking }), reply: booked,
  }),
} as const;
