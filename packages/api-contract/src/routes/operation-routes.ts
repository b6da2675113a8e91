import { z } from 'zod';
import { amount, instant, listOf } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';
import { endReason } from '../shapes/usage.js';

const whole = z.number().int().min(0);

/** Percentiles of the milliseconds until the first output, exact to 10 %. */
const firstToken = z.strictObject({ p50: whole.describe('Half of the requests were faster, in milliseconds.'), p95: whole.describe('19 of 20 requests were faster, in milliseconds.') });

/** State of one model at one upstream, as observed by the gateway that answers since its start. */
export const upstreamModel = z.strictObject({
  model: z.string().describe('Slug of the model.'),
  upstream_model: z.string().describe('The name of the model at the upstream.'),
  circuit: z.enum(['closed', 'open']).describe('`open`: calls are kept from it for the moment.'),
  state: z.enum(['untried', 'answering', 'failing']).describe('What came of the last call; `untried` if there was none.'),
  failing_since: instant.nullable().describe('The first failure after the last answer; `null` unless it is failing.'),
  answers: whole.describe('Calls that were answered, since the gateway started.'),
  failures: whole.describe('Calls that failed, since the gateway started.'),
  last_success_at: instant.nullable().describe('When a call was last answered; `null` if none was.'),
  last_failure: z.strictObject({ reason: z.string().describe('What failed.'), at: instant.describe('When it failed.') }).nullable().describe('The last failure; `null` if there was none.'),
  first_token_ms: firstToken.nullable().describe('Time to the first token; `null` without answers.'),
});

export const upstream = z.strictObject({
  id: z.string().describe('The id of the upstream in the catalogue.'),
  object: z.literal('upstream').describe('The kind of object.'),
  kind: z.enum(['openai', 'anthropic', 'responses', 'sandbox']).describe('The kind of server.'),
  base_url: z.string().nullable().describe('Without query and credentials; `null` for the built-in one.'),
  models: z.array(upstreamModel).readonly().describe('The models that it serves.'),
});

const ledgerCheck = z.strictObject({
  started_at: instant.describe('When the check began.'),
  ended_at: instant.describe('When the check ended.'),
  accounts: whole.describe('Accounts that were checked.'),
  entries: whole.describe('Ledger entries that were checked.'),
  usage_records: whole.describe('Usage records that were checked.'),
  differences: whole.describe('How many sums were not as recomputed.'),
  named_differences: z.array(z.strictObject({ invariant: z.string().describe('The number of the violated invariant in the documentation.'), account_id: z.string().nullable().describe('The account; `null` if the invariant is of no account.'), expected: z.string().describe('The recomputed value.'), found: z.string().describe('The stored value.') })).readonly().describe('The first of them.'),
});

/** Ledger checks by the gateway that answers. */
export const ledgerChecks = z.strictObject({
  object: z.literal('ledger_checks').describe('The kind of object.'),
  running_since: instant.nullable().describe('Since when a check is under way.'),
  last: ledgerCheck.nullable().describe('The last check; `null` before the first one.'),
  failures: whole.describe('Checks that failed since the gateway started.'),
  interval_seconds: z.number().nullable().describe('How often the ledger is checked without being asked; `null`: never.'),
  settlements_waiting: whole.describe('Settlements that the database has not accepted yet.'),
});

export const operationRoutes = {
  listUpstreams: defineRoute({
    method: 'get', path: '/operator/upstreams', access: 'operator', summary: 'The upstreams, and the health of each model there.', reply: listOf(upstream),
  }),
  testUpstream: defineRoute({
    method: 'post', path: '/operator/upstreams/{id}/test', access: 'operator', summary: 'Sends an upstream one real request, one word for one token, which no account pays.',
    params: z.strictObject({ id: z.string().min(1).max(200).describe('The id of the upstream in the catalogue.') }),
    body: z.strictObject({ model: z.string().min(1).max(200).nullable().default(null).describe('Which of its models to test; `null` for the first.') }),
    reply: z.strictObject({
      object: z.literal('upstream_test').describe('The kind of object.'), upstream: z.string().describe('The upstream.'), model: z.string().describe('Slug of the tested model.'), upstream_model: z.string().describe('The name of the model at the upstream.'), outcome: z.enum(['answered', 'failed']).describe('Whether the upstream answered.'),
      milliseconds: whole.nullable().describe('How long the answer took; `null` if there was none.'), reason: z.string().nullable().describe('Why the test failed; `null` if it did not.'), message: z.string().nullable().describe('The same in a sentence; `null` if the test did not fail.'),
    }),
  }),
  ledgerChecks: defineRoute({
    method: 'get', path: '/operator/ledger-checks', access: 'operator', summary: 'The last ledger check, and queued settlements.', reply: ledgerChecks,
  }),
  checkLedger: defineRoute({
    method: 'post', path: '/operator/ledger-checks', access: 'operator', status: 202, summary: 'Starts a check of the ledger, unless one is running.', reply: ledgerChecks,
  }),
  live: defineRoute({
    method: 'get', path: '/operator/live', access: 'operator', produces: 'text/event-stream',
    summary: 'What this gateway serves, second by second: snapshot, then tick, requests and alert. The id of an event is its second; Last-Event-ID resumes.',
  }),
} as const;

const counts = z.record(z.string(), z.number());

/**
 * Requests to the model routes that ended within this second. `codes` counts those without an error by HTTP status, with 499 for a client that
 * disconnected before its reply; `refused` counts the others by error code.
 */
export const liveSecond = z.strictObject({
  at: instant.describe('The second.'), requests: z.number().describe('Requests that ended in it.'), svc_tokens: amount.describe('Service tokens that were charged in it.'), codes: counts.describe('Requests that ended in it, by status code.'), refused: counts.describe('Refused requests, by error code.'), first_token_ms: firstToken.nullable().describe('Time to the first token; `null` without one.'),
});

/** `running` and `reserved` are `null` for seconds before the stream began, and for seconds that the gateway sends late. */
export const liveTick = liveSecond.extend({ running: z.number().nullable().describe('Requests that run now; `null` if unknown.'), reserved: amount.nullable().describe('Service tokens that are reserved now; `null` if unknown.'), gateways: z.number().describe('Gateways that are alive.') });

export const liveAlert = z.strictObject({
  kind: z.enum(['circuit-open', 'upstream-credentials', 'store-unavailable', 'limits-counted-locally', 'settlements-waiting', 'ledger-differences']).describe('What is wrong.'),
  subject: z.string().nullable().describe('The upstream and its model; `null` where it is about the gateway.'),
});

/** A request that has ended. */
export const liveRequest = z.strictObject({
  request_id: z.string().describe('The id of the request.'), at: instant.describe('When it ended.'), endpoint: z.string().nullable().describe('The route; `null` if there is none.'), account_id: z.string().nullable().describe('The account; `null` if it is unknown.'), key_id: z.string().nullable().describe('The key; `null` if it is unknown.'), model: z.string().nullable().describe('The requested model; `null` if there is none.'), status: z.number().nullable().describe('The status of the reply; `null` if there was none.'),
  code: z.string().nullable().describe('The error code; `null` for success.'), end_reason: endReason.nullable().describe('How the generation ended; `null` without one.'), svc_tokens: amount.nullable().describe('What was charged; `null` if nothing was booked.'), duration_ms: z.number().describe('From the arrival to the end of the request.'), first_token_ms: z.number().nullable().describe('From the arrival to the first token; `null` without one.'),
});

/** The events of `GET /operator/live`, by their names. */
export const liveEvents = {
  /** The last fifteen minutes, or as much as is remembered: `since` is the beginning. Seconds without a request are omitted. */
  snapshot: z.strictObject({ since: instant.describe('Since when seconds are counted.'), seconds: z.array(liveSecond).describe('The seconds of the last minutes.'), alerts: z.array(liveAlert).describe('Alerts that are on.'), requests: z.array(liveRequest).max(100).describe('The latest requests of the last minutes, newest first.') }),
  tick: liveTick,
  /** The newest requests of a second, newest first; `skipped` is the number of further ones. */
  requests: z.strictObject({
    requests: z.array(liveRequest).max(20).describe('The latest requests.'),
    skipped: z.number().describe('Requests that are not listed because there were too many.'),
  }),
  alert: liveAlert.extend({ at: instant.describe('When it began or ended.'), state: z.enum(['raised', 'ended']).describe('Whether the alert begins or ends.') }),
} as const;
