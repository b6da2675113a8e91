import { ACTOR_KINDS, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, bothCurrencies, cursor, displayName, email, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { sessionReach, signUpPolicy } from './sign-in-routes.js';

/** The person who is signed in. */
const person = z.strictObject({
  id,
  object: z.literal('person'),
  email,
  name: z.string(),
  role: z.enum(['owner', 'operator']),
  factors: z.array(z.enum(['totp', 'passkey'])).readonly(),
  created_at: instant,
});

/** The fields of a person's own account that all pages need. */
const ownAccount = z.strictObject({
  id,
  name: z.string(),
  standing: z.enum(['good', 'suspended', 'pending-deletion']),
  /** Why operators have suspended it, in their words. */
  standing_reason: z.string().nullable(),
  /** When a scheduled deletion is due. */
  deletion_due_at: instant.nullable(),
});

/** Shown on every page while the service is restricted or will be. */
export const banner = z.strictObject({
  kind: z.enum(['maintenance', 'incident']),
  state: z.enum(['planned', 'on']),
  from: instant,
  /** `null`: until an operator ends it. */
  until: instant.nullable(),
  /** Whole sentences without times: pages add `from` and `until` in the viewer's zone. */
  text: z.string(),
});

/** What of the installation's settings the pages show or depend on. */
const settings = z.strictObject({
  sign_up: signUpPolicy,
  /** Origin of the dashboard. */
  public_url: z.string(),
  /** Base URL of the API for snippets; clients of the chat format append `/v1`. */
  api_url: z.string(),
  require_second_factor: z.enum(['none', 'operators', 'everybody']),
  /** True if a mail server delivers messages; otherwise they are files on the gateway's machine. */
  mail: z.boolean(),
  /** The operator's text about buying credit: plain, with at most one https URL. */
  credit_line: z.string().nullable(),
  /** Days between the request for an account's deletion and its execution; 0: immediately. */
  deletion_grace_days: z.number().int().min(0),
});

export const meRoutes = {
  me: defineRoute({
    method: 'get', path: '/me', access: 'owner', isPolled: true, summary: 'Who is signed in, and what every page shows. A request does not extend the session.',
    reply: z.strictObject({
      object: z.literal('me'),
      person,
      account: ownAccount,
      reach: sessionReach,
      /** Active or planned maintenance; otherwise incident limits on models of the plan. */
      banner: banner.nullable(),
      /** The key of playground usage; `null` before its first use. Not listed among keys. */
      playground_key_id: id.nullable(),
      settings,
    }),
  }),
} as const;

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

/** An audited act that concerns the account. */
const activityEntry = z.strictObject({
  id,
  object: z.literal('activity'),
  at: instant,
  /** What it happened to, and what happened: `key.created`. */
  action: z.string(),
  /** Id of what was changed. */
  subject: z.string(),
  by: z.enum(ACTOR_KINDS),
  /** From where the owner acted; `null` for acts of others. */
  address: z.string().nullable(),
});

/** Charges of one UTC day and model; `null` for requests that no model served. */
const dayOfModel = z.strictObject({ day: z.iso.date(), model: z.string().nullable(), requests: count, charged: bothCurrencies });

/**
 * Refused requests of the account in the last 24 hours, or since the start of the gateway that answers, which counts them in memory. They
 * leave no record.
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
  /** The current UTC day, the current month, and the current day with the six before. */
  spend: z.strictObject({ today: bothCurrencies, month: bothCurrencies, last_7_days: bothCurrencies }),
  /** Days that the available balance lasts at the pace of the last 7 days; `null` if those were free. */
  runs_out_in_days: count.nullable(),
  /** Of the last 30 UTC days, the oldest first. */
  days: z.array(dayOfModel).readonly(),
  activity: z.array(activityEntry).max(5).readonly(),
  refusals,
});

export const accountRoutes = {
  overview: defineRoute({
    method: 'get', path: '/overview', access: 'owner', summary: 'The account, its recent spending and its latest changes.', reply: overview,
  }),
  activity: defineRoute({
    method: 'get', path: '/activity', access: 'owner', summary: 'Changes of the account and their actors, newest first.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.activity.dashboard), cursor }), reply: listOf(activityEntry),
  }),
  changeProfile: defineRoute({
    method: 'patch', path: '/profile', access: 'owner', summary: 'Changes the name of the person or of the account; omitted fields keep their values.',
    body: z.strictObject({ name: displayName.optional(), account_name: displayName.optional() })
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
