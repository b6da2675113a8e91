import {
  availableOf, type ErrorCode, type GatewayError, type ModelSlug, type QuotaSnapshot, type RequestId, type RequestWindow, type Settlement,
} from '@tollgate/core';
import { statusOf } from './error-table.js';

/** Every header this service gives a meaning to, by what it says. */
export const responseHeaderNames = {
  requestId: 'x-request-id',
  /** The same value under the only name that clients of the messages format read. */
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
  replayed: 'idempotent-replayed',
  replayedRequestId: 'idempotent-request-id',
} as const;

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Objects with names that are written out are made several times as fast as those with names that are looked up; a wrong one does not compile. */
type NamedHeaders = Readonly<Partial<Record<(typeof responseHeaderNames)[keyof typeof responseHeaderNames], string>>>;

/** Statuses that the same request meets again until its sender changes something. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 431]);
/** Codes whose wait is so long that a client should report it instead of sleeping through it. */
const LONG_WAITS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded']);
const MIN_RETRY_AFTER_SECONDS = 1;
/** The wait where a refusal names none. */
const USUAL_RETRY_AFTER_SECONDS: ReadonlyMap<number, number> = new Map([[429, MIN_RETRY_AFTER_SECONDS], [503, 2]]);
const MAINTENANCE_RETRY_AFTER_SECONDS = 60;

/** Whether a refusal with this code lasts for hours or days. */
export function isLongWait(code: ErrorCode): boolean {
  return LONG_WAITS.has(code);
}

/** On every reply, errors and reads included. */
export function requestIdHeaders(requestId: RequestId): ResponseHeaders {
  return { 'x-request-id': requestId, 'request-id': requestId } satisfies NamedHeaders;
}

/** On every reply of the generation endpoints, refusals included, once the caller's limits are known. */
export function quotaHeaders(quota: QuotaSnapshot): ResponseHeaders {
  return {
    'x-ratelimit-limit-requests': `${quota.requestsLimit}`,
    'x-ratelimit-remaining-requests': `${quota.requestsRemaining}`,
    'x-ratelimit-limit-tokens': `${quota.tokensLimit}`,
    'x-ratelimit-remaining-tokens': `${quota.tokensRemaining}`,
    'x-ratelimit-reset-requests': `${quota.requestsResetSeconds}s`,
  } satisfies NamedHeaders;
}

/** On refusals by a window that is none of the plan's. */
function usedUpHeaders({ limit, resetSeconds }: RequestWindow): ResponseHeaders {
  return {
    'x-ratelimit-limit-requests': `${limit}`,
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': `${resetSeconds}s`,
  } satisfies NamedHeaders;
}

/** On every generated reply: which model really served it. */
export function servedModelHeaders(servedBy: ModelSlug): ResponseHeaders {
  return { 'x-svc-model': servedBy } satisfies NamedHeaders;
}

/** Instead of the balance, while the ledger has not taken the settlement. */
export const PENDING_SETTLEMENT = 'pending';

/** On whole replies only, since a stream's headers leave before its charge is known. */
export function settlementHeaders(settlement: Settlement): ResponseHeaders {
  return {
    'x-svc-tokens-debited': settlement.charge.amount.toString(),
    ...(settlement.balance === null ? { 'x-svc-settlement': PENDING_SETTLEMENT } : { 'x-svc-balance': availableOf(settlement.balance).toString() }),
  } satisfies NamedHeaders;
}

/** On a reply that was given before to the same request: which one it was then. */
export function replayHeaders(requestId: RequestId): ResponseHeaders {
  return { 'idempotent-replayed': 'true', 'idempotent-request-id': requestId } satisfies NamedHeaders;
}

function retryAfterSecondsOf({ code, retryAfterSeconds }: GatewayError, status: number): number | null {
  if (retryAfterSeconds !== null) return Math.max(MIN_RETRY_AFTER_SECONDS, Math.ceil(retryAfterSeconds));
  if (code === 'maintenance_mode') return MAINTENANCE_RETRY_AFTER_SECONDS;
  return USUAL_RETRY_AFTER_SECONDS.get(status) ?? null;
}

/**
 * When to come back, on every 429 and 503; whether to come back at all; and the limits where the refusal knows them.
 * `status` is the one that is sent, where it is not the code's own.
 */
export function errorHeaders(error: GatewayError, status: number = statusOf(error.code)): ResponseHeaders {
  const headers: Record<string, string> = error.quota === null ? {} : { ...quotaHeaders(error.quota) };
  if (error.window !== null) Object.assign(headers, usedUpHeaders(error.window));
  const seconds = retryAfterSecondsOf(error, status);
  if (seconds !== null) headers[responseHeaderNames.retryAfter] = `${seconds}`;
  if (error.isPermanent || FINAL_STATUSES.has(status) || isLongWait(error.code)) headers[responseHeaderNames.shouldRetry] = 'false';
  return headers;
}
