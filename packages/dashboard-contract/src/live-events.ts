import { z } from 'zod';
import { firstToken } from './routes/operation-routes.js';
import { amount, instant } from './values.js';

const counts = z.record(z.string(), z.number());

/** Requests to the model routes that were over in one second: those without an error in `codes`, by HTTP status, where 499 stands for a client that left before its reply; the others in `refused`, by the code of their error. */
export const liveSecond = z.strictObject({
  at: instant, requests: z.number(), svc_tokens: amount, codes: counts, refused: counts, first_token_ms: firstToken.nullable(),
});

/** `running` and `reserved` are `null` for seconds that passed before the stream. */
export const liveTick = liveSecond.extend({ running: z.number().nullable(), reserved: amount.nullable(), gateways: z.number() });

export const liveAlert = z.strictObject({
  kind: z.enum(['circuit-open', 'upstream-credentials', 'store-unavailable', 'limits-counted-locally', 'settlements-waiting', 'ledger-differences']),
  /** The upstream and its model; `null` where it is about the gateway. */
  subject: z.string().nullable(),
});

/** The events of `GET /operator/live`, by their names. */
export const liveEvents = {
  /** The last fifteen minutes, or what is remembered of them: `since` says from when on. Seconds without a request are left out. */
  snapshot: z.strictObject({ since: instant, seconds: z.array(liveSecond), alerts: z.array(liveAlert) }),
  tick: liveTick,
  /** The newest requests of a second, newest first; `skipped` is how many more there were. */
  requests: z.strictObject({
    requests: z.array(z.strictObject({
      request_id: z.string(), at: instant, endpoint: z.string().nullable(), account_id: z.string().nullable(), model: z.string().nullable(), status: z.number().nullable(),
      code: z.string().nullable(), end_reason: z.string().nullable(), svc_tokens: amount.nullable(), duration_ms: z.number(), first_token_ms: z.number().nullable(),
    })).max(20),
    skipped: z.number(),
  }),
  alert: liveAlert.extend({ at: instant, state: z.enum(['raised', 'ended']) }),
} as const;
