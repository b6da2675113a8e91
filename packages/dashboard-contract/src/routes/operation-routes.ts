import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, email, id, instant, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';

const whole = z.number().int().min(0);

/** Milliseconds until the first output, within 10 %. */
const firstToken = z.strictObject({ p50: whole, p95: whole });

/** State of one model at one upstream, as the answering gateway has observed since its start. */
export const upstreamModel = z.strictObject({
  model: z.string(),
  upstream_model: z.string(),
  /** `open`: calls are kept from it for the moment. */
  circuit: z.enum(['closed', 'open']),
  answers: whole,
  failures: whole,
  last_success_at: instant.nullable(),
  last_failure: z.strictObject({ reason: z.string(), at: instant }).nullable(),
  first_token_ms: firstToken.nullable(),
});

export const upstream = z.strictObject({
  id: z.string(),
  object: z.literal('upstream'),
  kind: z.enum(['openai', 'anthropic', 'responses', 'sandbox']),
  /** Without query and credentials; `null` for the built-in one. */
  base_url: z.string().nullable(),
  models: z.array(upstreamModel).readonly(),
});

const ledgerCheck = z.strictObject({
  started_at: instant,
  ended_at: instant,
  accounts: whole,
  entries: whole,
  usage_records: whole,
  differences: whole,
  /** The first of them. */
  named_differences: z.array(z.strictObject({ invariant: z.string(), account_id: z.string().nullable(), expected: z.string(), found: z.string() })).readonly(),
});

/** What the gateway that answers knows of the books. */
export const ledgerChecks = z.strictObject({
  object: z.literal('ledger_checks'),
  /** Since when a check is under way. */
  running_since: instant.nullable(),
  last: ledgerCheck.nullable(),
  /** Checks that could not be carried out. */
  failures: whole,
  /** How often the books are checked without being asked; `null`: never. */
  interval_seconds: z.number().nullable(),
  /** Settlements that the database has not taken yet. */
  settlements_waiting: whole,
});

/** A message without its content. Address and subject are erased when it ends. */
export const mail = z.strictObject({
  id,
  object: z.literal('mail'),
  to: z.string().nullable(),
  subject: z.string().nullable(),
  state: z.enum(['waiting', 'delivered', 'given-up']),
  attempts: whole,
  last_error: z.string().nullable(),
  stored_at: instant,
  next_attempt_at: instant.nullable(),
  ended_at: instant.nullable(),
});

export const operationRoutes = {
  listUpstreams: defineRoute({
    method: 'get', path: '/operator/upstreams', access: 'operator', summary: 'The upstreams, and the health of each model there.', reply: listOf(upstream),
  }),
  testUpstream: defineRoute({
    method: 'post', path: '/operator/upstreams/{id}/test', access: 'operator', summary: 'Sends an upstream one real request, one word for one token, which no account pays.',
    params: z.strictObject({ id: z.string().min(1).max(200) }),
    body: z.strictObject({ model: z.string().min(1).max(200).nullable().default(null) }),
    reply: z.strictObject({
      object: z.literal('upstream_test'), upstream: z.string(), model: z.string(), upstream_model: z.string(), outcome: z.enum(['answered', 'failed']),
      milliseconds: whole.nullable(), reason: z.string().nullable(), message: z.string().nullable(),
    }),
  }),
  ledgerChecks: defineRoute({
    method: 'get', path: '/operator/ledger-checks', access: 'operator', summary: 'The last check of the books, and queued settlements.', reply: ledgerChecks,
  }),
  checkLedger: defineRoute({
    method: 'post', path: '/operator/ledger-checks', access: 'operator', status: 202, summary: 'Starts a check of the books, unless one is running.', reply: ledgerChecks,
  }),
  listMail: defineRoute({
    method: 'get', path: '/operator/mail', access: 'operator', summary: 'The mail outbox, newest first.', query: z.strictObject({ limit: pageLimit(PAGE_SIZES.mail.dashboard), cursor }), reply: listOf(mail),
  }),
  sendTestMail: defineRoute({
    method: 'post', path: '/operator/mail/test', access: 'operator', status: 202, summary: 'Queues a test message for delivery; the outbox shows its state.',
    body: z.strictObject({ to: email.nullable().default(null) }), reply: z.strictObject({ object: z.literal('mail_test'), to: z.string() }),
  }),
  live: defineRoute({
    method: 'get', path: '/operator/live', access: 'operator', produces: 'text/event-stream',
    summary: 'What this gateway serves, second by second: snapshot, then tick, requests and alert. The id of an event is its second; Last-Event-ID resumes.',
  }),
} as const;

const counts = z.record(z.string(), z.number());

/**
 * Requests to model routes that ended in one second: in `codes` by HTTP status if they had no error, where 499 is a client that
 * disconnected before its reply; in `refused` by error code.
 */
export const liveSecond = z.strictObject({
  at: instant, requests: z.number(), svc_tokens: amount, codes: counts, refused: counts, first_token_ms: firstToken.nullable(),
});

/** `running` and `reserved` are `null` for seconds before the stream began. */
export const liveTick = liveSecond.extend({ running: z.number().nullable(), reserved: amount.nullable(), gateways: z.number() });

export const liveAlert = z.strictObject({
  kind: z.enum(['circuit-open', 'upstream-credentials', 'store-unavailable', 'limits-counted-locally', 'settlements-waiting', 'ledger-differences']),
  /** The upstream and its model; `null` if it concerns the gateway. */
  subject: z.string().nullable(),
});

/** The events of `GET /operator/live`, by their names. */
export const liveEvents = {
  /** The last fifteen minutes, or the part since `since` that the gateway remembers. Seconds without requests are omitted. */
  snapshot: z.strictObject({ since: instant, seconds: z.array(liveSecond), alerts: z.array(liveAlert) }),
  tick: liveTick,
  /** The newest requests of a second, newest first; `skipped` counts the others. */
  requests: z.strictObject({
    requests: z.array(z.strictObject({
      request_id: z.string(), at: instant, endpoint: z.string().nullable(), account_id: z.string().nullable(), model: z.string().nullable(), status: z.number().nullable(),
      code: z.string().nullable(), end_reason: z.string().nullable(), svc_tokens: amount.nullable(), duration_ms: z.number(), first_token_ms: z.number().nullable(),
    })).max(20),
    skipped: z.number(),
  }),
  alert: liveAlert.extend({ at: instant, state: z.enum(['raised', 'ended']) }),
} as const;
