import { ACTOR_KINDS, MAX_REQUESTS_LEFT, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { bothCurrencies, changeOf, cursor, displayName, email, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { account } from '../shapes/account.js';
import { language, sessionReach, signUpPolicy } from './sign-in-routes.js';

/** The person who is signed in. */
const person = z.strictObject({
  id: id.describe('The id of the person.'),
  object: z.literal('person').describe('The kind of object.'),
  email: email.describe('The address that the person signs in with.'),
  name: z.string().describe('The name of the person.'),
  role: z.enum(['owner', 'operator']).describe('Whether the person is an operator of the installation.'),
  language: language.nullable().describe('The language of messages to the person: that of the last page that the person read; `null` until then.'),
  factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that are set up.'),
  created_at: instant.describe('When it was created.'),
});

/** Fields of the person's own account that all pages need. */
const ownAccount = z.strictObject({
  id: id.describe('The id of the account.'),
  name: z.string().describe('The name of the account.'),
  standing: z.enum(['good', 'suspended', 'pending-deletion']).describe('Whether the account is served.'),
  standing_reason: z.string().nullable().describe('Why operators have suspended it, in their words.'),
  deletion_due_at: instant.nullable().describe('When a scheduled deletion is due.'),
});

const count = z.number().int().min(0);

/** A request of 500 input and 256 output tokens to the plan's model with the smallest reservation. */
const usualRequest = z.strictObject({
  model: z.string().describe('The id of that model.'),
  needs: bothCurrencies.describe('What such a request sets aside at least; with less available it is refused.'),
  available: bothCurrencies.describe('The available balance.'),
  requests_left: count.max(MAX_REQUESTS_LEFT).describe('For how many such requests the balance is enough; 1,000 also for more.'),
}).meta({ id: 'UsualRequest', description: 'A request of 500 input and 256 output tokens to the model with the smallest reservation.' });

/** Notice at the top of every page about current or planned restrictions. */
export const banner = z.strictObject({
  kind: z.enum(['maintenance', 'incident']).describe('Why it is shown.'),
  state: z.enum(['planned', 'on']).describe('Whether it is planned or in force.'),
  from: instant.describe('When it begins.'),
  until: instant.nullable().describe('`null`: until an operator ends it.'),
  text: z.string().describe('Whole sentences without times: pages show `from` and `until` beside them, in the reader’s zone.'),
});

/** Settings of the installation that the pages show or depend on. */
const settings = z.strictObject({
  sign_up: signUpPolicy.describe('Who may sign up.'),
  public_url: z.string().describe('Origin of the dashboard.'),
  api_url: z.string().describe('Base address of the API for snippets: clients of the chat format append `/v1`.'),
  require_second_factor: z.enum(['none', 'operators', 'everybody']).describe('Who must set up a second factor.'),
  mail: z.boolean().describe('Whether messages go to a mail server; else they become files on the gateway’s machine.'),
  credit_line: z.string().nullable().describe('The operator’s line on how to get credit: plain text with at most one https address.'),
  deletion_grace_days: z.number().int().min(0).describe('Whole days from the request of an account’s deletion until it is due; 0: it is due at once.'),
});

export const meRoutes = {
  me: defineRoute({
    method: 'get', path: '/me', access: 'owner', isPolled: true, summary: 'Who is signed in, and what every page shows. A request does not extend the session.',
    reply: z.strictObject({
      object: z.literal('me').describe('The kind of object.'),
      person: person.describe('The person who is signed in.'),
      account: ownAccount.describe('The account of the person.'),
      reach: sessionReach.describe('What the session has proved so far.'),
      now: instant.describe('The gateway’s time, with which pages compute days and ages.'),
      /** About current or planned maintenance; otherwise about incident limits on models of the account's plan. */
      banner: banner.nullable().describe('What every page shows at its top; `null` for nothing.'),
      usual_request: usualRequest.nullable().describe('What the balance can pay for; `null` while no model is offered.'),
      playground_key_id: id.nullable().describe('Under which usage of the playground is recorded; `null` until its first use. It is in no list of keys.'),
      settings: settings.describe('Settings of the installation that pages show.'),
    }),
  }),
} as const;

/** An act of the audit log that concerns the account. */
const activityEntry = z.strictObject({
  id: id.describe('The id of the entry.'),
  object: z.literal('activity').describe('The kind of object.'),
  at: instant.describe('When it happened.'),
  action: z.string().describe('What it happened to, and what happened: `key.created`.'),
  subject: z.string().describe('Id of what was changed.'),
  by: z.enum(ACTOR_KINDS).describe('Who did it.'),
  address: z.string().nullable().describe('From where the owner acted; `null` for acts of others.'),
  via: z.string().nullable().describe('The machine whose link began the session of the act, `machine:…`; `null` for none.'),
  booking: z.strictObject({
    svc_tokens: z.string().describe('Below zero where it lowered the balance.'),
    reference: z.string().describe('The reference of the booking.'),
    request_id: z.string().nullable().describe('The request of a refund; `null` for other bookings.'),
    reason: z.string().nullable().describe('Why, in the words of the operator.'),
  }).nullable().describe('What was booked on the balance; `null` for other acts.'),
});

const dayOfModel = z.strictObject({ day: z.iso.date().describe('The UTC day.'), model: z.string().nullable().describe('The model that served; `null` for requests that none served.'), requests: count.describe('How many requests ended.'), tokens: count.describe('Tokens of their prompts and outputs.'), charged: bothCurrencies.describe('What they were charged.') });

/**
 * Refused requests of the account in the current UTC hour and the 23 before, or since the gateway started if that is later. Counted in the memory of
 * the gateway that answers, because such requests leave no record; empty for accounts beyond the first 10,000.
 */
export const refusals = z.strictObject({
  since: instant.describe('Since when requests are counted.'),
  counts: z.array(z.strictObject({ code: z.string().describe('The code of the refusal.'), count: count.describe('How many requests were refused with it.') })).readonly().describe('The most frequent first.'),
});

/** The first page that an owner sees. */
export const overview = z.strictObject({
  object: z.literal('overview').describe('The kind of object.'),
  account: account.describe('The account with its limits and their current use.'),
  spend: z.strictObject({ today: bothCurrencies.describe('In the running UTC day.'), month: bothCurrencies.describe('In the running UTC month.'), last_month: bothCurrencies.describe('In the UTC month before, up to the same day of the month.'), last_7_days: bothCurrencies.describe('In the running UTC day and the six before.') }).describe('Of the running UTC day, of the running month, and of the running day and the six before.'),
  usual_request: usualRequest.nullable().describe('What the balance can pay for; `null` while no model is offered.'),
  runs_out_in_days: count.nullable().describe('Whole days until the available balance no longer pays for a usual request, at the pace since the first charge of the last 7; 0 if it does not now; `null` with charges on fewer than 3 of them.'),
  api_used: z.boolean().describe('Whether a request with an API key of the account was ever served; requests of the playground do not count.'),
  days: z.array(dayOfModel).readonly().describe('Of the last 30 UTC days, the oldest first.'),
  activity: z.array(activityEntry).max(5).readonly().describe('The latest changes of the account.'),
  refusals: refusals.describe('Refused requests of the last 24 hours.'),
});

export const accountRoutes = {
  overview: defineRoute({
    method: 'get', path: '/overview', access: 'owner', summary: 'The account, its recent spending and its latest changes.', reply: overview,
  }),
  activity: defineRoute({
    method: 'get', path: '/activity', access: 'owner', summary: 'Changes of the account and their actors, newest first.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.activity.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }), reply: listOf(activityEntry),
  }),
  changeLanguage: defineRoute({
    method: 'put', path: '/profile/language', access: 'owner', status: 204, summary: 'Changes the language of messages to the person.',
    body: z.strictObject({ language: language.describe('The language.') }),
  }),
  changeProfile: defineRoute({
    method: 'patch', path: '/profile', access: 'owner', summary: 'Changes the name of the person or of the account; omitted fields keep their values.',
    body: changeOf({ name: displayName.optional().describe('The name of the person.'), account_name: displayName.optional().describe('The name of the account.') }),
    reply: z.strictObject({ object: z.literal('profile').describe('The kind of object.'), person: person.describe('The person as changed.'), account: ownAccount.describe('The account as changed.') }),
  }),
  requestDeletion: defineRoute({
    method: 'post', path: '/deletion', access: 'owner', fresh: true, openTo: 'pending-deletion',
    summary: 'Schedules the deletion of the account; until it is due, requests are refused and the owner may cancel it.', reply: ownAccount,
  }),
  cancelDeletion: defineRoute({
    method: 'delete', path: '/deletion', access: 'owner', openTo: 'pending-deletion', summary: 'Cancels the scheduled deletion of the account.', reply: ownAccount,
  }),
  account: defineRoute({
    method: 'get', path: '/account', access: 'owner', summary: 'The account: status, plan, balance, the limits in force and their current use.',
    reply: account,
  }),
} as const;
