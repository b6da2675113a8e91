import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { amount, bothCurrencies, cursor, id, instant, label, listOf, pageLimit } from '../values.js';
import { ownAccount, person } from './me-routes.js';

const count = z.number().int().min(0);
/** `null`: no limit. */
const cap = count.nullable();

/** A limit of one model during a capacity incident. */
const modelLimit = z.strictObject({
  model: z.string(), requests_per_minute: cap, tokens_per_minute: cap, concurrent_requests: cap, expires_at: instant.nullable(),
});

/** An account as `GET /v1/account` shows it. */
export const account = z.strictObject({
  id,
  object: z.literal('account'),
  name: z.string(),
  status: z.enum(['active', 'suspended', 'pending-deletion', 'deleted']),
  created_at: instant,
  plan: z.strictObject({ id: z.string(), name: z.string() }),
  balance: z.strictObject({ available: bothCurrencies, reserved: bothCurrencies, total: bothCurrencies, usd_per_service_token: amount }),
  limits: z.strictObject({
    requests_per_minute: count, tokens_per_minute: count, concurrent_requests: count, max_context_tokens: count, api_keys: count,
    tokens_per_day: cap, tokens_per_month: cap, models: z.array(modelLimit),
  }),
  used: z.strictObject({
    requests_this_minute: count, tokens_this_minute: count, minute_resets_in_seconds: count, tokens_today: count, tokens_this_month: count, api_keys: count,
  }),
});

/** An act that concerns the account, as the audit trail has it. */
export const activityEntry = z.strictObject({
  id,
  object: z.literal('activity'),
  at: instant,
  /** What it happened to, and what happened: `key.created`. */
  action: z.string(),
  /** Id of what was changed. */
  subject: z.string(),
  by: z.enum(['owner', 'operator', 'system']),
  /** From where the owner acted; `null` for acts of others. */
  address: z.string().nullable(),
});

/** What requests of one UTC day to one model were charged; the model is `null` for requests that none has served. */
const dayOfModel = z.strictObject({ day: z.iso.date(), model: z.string().nullable(), requests: count, charged: bothCurrencies });

/**
 * Requests of the account that were refused in the last 24 hours or since the gateway started, whichever is less, counted in the memory of the gateway
 * that answers. Such requests leave no record.
 */
export const refusals = z.strictObject({
  since: instant,
  /** The most frequent first. */
  counts: z.array(z.strictObject({ code: z.string(), count })).readonly(),
});

/** What an owner sees first. */
export const overview = z.strictObject({
  object: z.literal('overview'),
  account,
  /** Of the running UTC day, of the running month, and of the running day and the six before. */
  spend: z.strictObject({ today: bothCurrencies, month: bothCurrencies, last_7_days: bothCurrencies }),
  /** Whole days that the available balance lasts at the pace of the last 7; `null` where they cost nothing. */
  runs_out_in_days: count.nullable(),
  /** Of the last 30 UTC days, the oldest first. */
  days: z.array(dayOfModel).readonly(),
  activity: z.array(activityEntry).max(5).readonly(),
  refusals,
});

export const accountRoutes = {
  overview: defineRoute({
    method: 'get', path: '/overview', access: 'owner', summary: 'The account, what it spent of late, and what was changed last.', reply: overview,
  }),
  activity: defineRoute({
    method: 'get', path: '/activity', access: 'owner', summary: 'What was changed about the account, by whom, newest first.',
    query: z.strictObject({ limit: pageLimit, cursor }), reply: listOf(activityEntry),
  }),
  changeProfile: defineRoute({
    method: 'patch', path: '/profile', access: 'owner', summary: 'Changes the name of the person or of the account; what is left out stays as it is.',
    body: z.strictObject({ name: label(100).optional(), account_name: label(100).optional() })
      .refine((names) => Object.keys(names).length > 0, 'must name at least one field'),
    reply: z.strictObject({ object: z.literal('profile'), person, account: ownAccount }),
  }),
  requestDeletion: defineRoute({
    method: 'post', path: '/deletion', access: 'owner', fresh: true, openTo: 'pending-deletion',
    summary: 'Schedules the deletion of the account; until it is due, requests are refused and the owner may cancel it.', reply: ownAccount,
  }),
  cancelDeletion: defineRoute({
    method: 'delete', path: '/deletion', access: 'owner', openTo: 'pending-deletion', summary: 'Cancels the scheduled deletion of the account.', reply: ownAccount,
  }),
  account: defineRoute({
    method: 'get', path: '/account', access: 'owner', summary: 'The account: status, plan, balance, the limits in force and what is used of them.',
    reply: account,
  }),
} as const;
