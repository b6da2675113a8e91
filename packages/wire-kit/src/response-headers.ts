import {
  availableOf, type ErrorCode, type GatewayError, type Instant, type Model, type ModelSlug, type QuotaSnapshot, type RequestId, type RequestWindow, type Settlement, sunsetOf,
} from '@tollgate/core';
import { statusOf } from './error-table.js';

export const responseHeaderNames = {
  requestId: 'x-request-id',
  /** Has the value of `x-request-id`; clients of the messages format read only this header. */
  messagesRequestId: 'request-id',
  model: 'x-svc-model',
  tokensDebited: 'x-svc-tokens-debited',
  balance: 'x-svc-balance',
  settlement: 'x-svc-settlement',
  requestsLimit: 'x-ratelimit-limit-requests',
  requestsRemaining: 'x-ratelimit-remaining-requests',
  tokensLimit: 'x-ratelimit-limit-tokens',
  tokensRemaining: 'x-ratelimit-remaining-tokens',
  requestsReset: 'x-ratelimit-reset-requests',
  retryAfter: 'retry-after',
  shouldRetry: 'x-should-retry',
  sunset: 'sunset',
  replayed: 'idempotent-replayed',
  replayedRequestId: 'idempotent-request-id',
} as const;

export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * The functions below write the names literally: objects with literal names are created several times as fast as with computed names. A wrong name
 * does not compile.
 */
type NamedHeaders = Readonly<Partial<Record<(typeof responseHeaderNames)[keyof typeof responseHeaderNames], string>>>;

/** Statuses that a repetition of the same request would get again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 431]);
/** Codes that clients should report instead of waiting. */
const LONG_WAITS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded']);
const MIN_RETRY_AFTER_SECONDS = 1;
/** Default `Retry-After` by status. */
const USUAL_RETRY_AFTER_SECONDS: ReadonlyMap<number, number> = new Map([[429, MIN_RETRY_AFTER_SECONDS], [503, 2]]);
const MAINTENANCE_RETRY_AFTER_SECONDS = 60;

/** True if the request was refused by a limit of a day or month, which may be reset only after hours or days. */
export function isLongWait(code: ErrorCode): boolean {
  return LONG_WAITS.has(code);
}

/** Headers of every reply. */
export function requestIdHeaders(requestId: RequestId): ResponseHeaders {
  return { 'x-request-id': requestId, 'request-id': requestId } satisfies NamedHeaders;
}

/** Headers of every reply of generation endpoints, refusals included, once the caller is known. */
export function quotaHeaders(quota: QuotaSnapshot): ResponseHeaders {
  return {
    'x-ratelimit-limit-requests': `${quota.requestsLimit}`,
    'x-ratelimit-remaining-requests': `${quota.requestsRemaining}`,
    'x-ratelimit-limit-tokens': `${quota.tokensLimit}`,
    'x-ratelimit-remaining-tokens': `${quota.tokensRemaining}`,
    'x-ratelimit-reset-requests': `${quota.requestsResetSeconds}s`,
  } satisfies NamedHeaders;
}

/** Headers of a refusal by a limit other than the plan's, such as that on unbilled work. */
function usedUpHeaders({ limit, resetSeconds }: RequestWindow): ResponseHeaders {
  return {
    'x-ratelimit-limit-requests': `${limit}`,
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': `${resetSeconds}s`,
  } satisfies NamedHeaders;
}

/** Headers of a stream, whose charge is not known yet. */
export function servedModelHeaders(servedBy: ModelSlug): ResponseHeaders {
  return { 'x-svc-model': servedBy } satisfies NamedHeaders;
}

/** The `Sunset` header (RFC 8594) with the date of the model's shutdown, from 60 days before. */
export function sunsetHeaders(model: Pick<Model, 'shutdown'>, now: Instant): ResponseHeaders {
  const at = sunsetOf(model, now);
  return at === null ? {} : { sunset: new Date(at).toUTCString() } satisfies NamedHeaders;
}

/** Value that stands for the balance while the settlement is queued. */
export const PENDING_SETTLEMENT = 'pending';

/** Headers of a whole reply, which state its charge; a stream's headers precede its charge. */
export function wholeReplyHeaders(servedBy: ModelSlug, { charge, balance }: Settlement): ResponseHeaders {
  const debited = charge.amount.toString();
  if (balance === null) return { 'x-svc-model': servedBy, 'x-svc-tokens-debited': debited, 'x-svc-settlement': PENDING_SETTLEMENT } satisfies NamedHeaders;
  return { 'x-svc-model': servedBy, 'x-svc-tokens-debited': debited, 'x-svc-balance': availableOf(balance).toString() } satisfies NamedHeaders;
}

/** Headers of a replayed reply, which name the original request. */
export function replayHeaders(requestId: RequestId): ResponseHeaders {
  return { 'idempotent-replayed': 'true', 'idempotent-request-id': requestId } satisfies NamedHeaders;
}

function retryAfterSecondsOf({ code, retryAfterSeconds }: GatewayError, status: number): number | null {
  if (retryAfterSeconds !== null) return Math.max(MIN_RETRY_AFTER_SECONDS, Math.ceil(retryAfterSeconds));
  if (code === 'maintenance_mode') return MAINTENANCE_RETRY_AFTER_SECONDS;
  return USUAL_RETRY_AFTER_SECONDS.get(status) ?? null;
}

/** Headers of an error: the wait and retry advice, and known limits. `status` is given if it differs from the code's. */
export function errorHeaders(error: GatewayError, status: number = statusOf(error.code)): ResponseHeaders {
  const headers: Record<string, string> = error.quota === null ? {} : { ...quotaHeaders(error.quota) };
  if (error.window !== null) Object.assign(headers, usedUpHeaders(error.window));
  const seconds = retryAfterSecondsOf(error, status);
  if (seconds !== null) headers[responseHeaderNames.retryAfter] = `${seconds}`;
  if (error.isPermanent || FINAL_STATUSES.has(status) || isLongWait(error.code)) headers[responseHeaderNames.shouldRetry] = 'false';
  return headers;
}
