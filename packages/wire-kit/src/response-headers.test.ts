import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, GatewayError, type ModelSlug, type QuotaSnapshot, type RequestId, tokenCount } from '@tollgate/core';
import { aSettlement } from '@tollgate/testkit';
import { errorTable } from './error-table.js';
import { errorHeaders, quotaHeaders, replayHeaders, requestIdHeaders, servedModelHeaders, wholeReplyHeaders } from './response-headers.js';

const QUOTA: QuotaSnapshot = {
  requestsLimit: 60,
  requestsRemaining: 0,
  tokensLimit: tokenCount(200_000),
  tokensRemaining: tokenCount(199_000),
  requestsResetSeconds: 37,
};
const QUOTA_HEADERS = {
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-limit-tokens': '200000',
  'x-ratelimit-remaining-tokens': '199000',
  'x-ratelimit-reset-requests': '37s',
};

describe('response headers', () => {
  it('name the request under the names that clients of every format read', () => {
    expect(requestIdHeaders('req_1' as RequestId)).toEqual({ 'x-request-id': 'req_1', 'request-id': 'req_1' });
  });

  it('state the limits and what remains of them', () => {
    expect(quotaHeaders(QUOTA)).toEqual(QUOTA_HEADERS);
  });

  it('name the serving model', () => {
    expect(servedModelHeaders('m' as ModelSlug)).toEqual({ 'x-svc-model': 'm' });
  });

  it('mark a replay and name the original request', () => {
    expect(replayHeaders('req_1' as RequestId)).toEqual({ 'idempotent-replayed': 'true', 'idempotent-request-id': 'req_1' });
  });

  it('of a whole reply name the serving model, and state the charge and the available balance as plain decimals', () => {
    expect(Object.entries(wholeReplyHeaders('m' as ModelSlug, aSettlement()))).toEqual([['x-svc-model', 'm'], ['x-svc-tokens-debited', '12.5'], ['x-svc-balance', '92.75']]);
  });

  it('of a whole reply name no balance while the settlement is queued', () => {
    expect(wholeReplyHeaders('m' as ModelSlug, { ...aSettlement(), balance: null })).toEqual({ 'x-svc-model': 'm', 'x-svc-tokens-debited': '12.5', 'x-svc-settlement': 'pending' });
  });
});

describe('error headers', () => {
  const limited: readonly (readonly [ErrorCode, object])[] = [
    ['rate_limit_exceeded', { 'retry-after': '20' }],
    ['tokens_per_minute_exceeded', { 'retry-after': '20' }],
    ['concurrency_limit_exceeded', { 'retry-after': '20' }],
    ['daily_limit_exceeded', { 'retry-after': '20', 'x-should-retry': 'false' }],
    ['monthly_limit_exceeded', { 'retry-after': '20', 'x-should-retry': 'false' }],
    ['api_key_limit_exceeded', { 'retry-after': '20', 'x-should-retry': 'false' }],
  ];
  it.each(limited)('of %s state when to retry, the limits, and whether to retry', (code, headers) => {
    expect(errorHeaders(new GatewayError(code, 'No.', { retryAfterSeconds: 20, quota: QUOTA }))).toEqual({ ...QUOTA_HEADERS, ...headers });
  });

  it.each<readonly [given: number | undefined, seconds: string]>([[undefined, '1'], [0, '1'], [1.2, '2']])('of a 429 with a wait of %p seconds tell the client to retry after %s', (given, seconds) => {
    expect(errorHeaders(new GatewayError('rate_limit_exceeded', 'No.', given === undefined ? {} : { retryAfterSeconds: given }))).toEqual({ 'retry-after': seconds });
  });

  const NEVER_AGAIN = new Set([400, 401, 402, 403, 404, 405, 413, 415]);
  const codes = Object.keys(errorTable) as ErrorCode[];
  it.each(codes.filter((code) => NEVER_AGAIN.has(errorTable[code].status)))('of %s state that a retry is pointless', (code) => {
    expect(errorHeaders(new GatewayError(code, 'No.'))).toEqual({ 'x-should-retry': 'false' });
  });

  it.each(codes.filter((code) => [409, 500].includes(errorTable[code].status)))('of %s contain no advice on retries', (code) => {
    expect(errorHeaders(new GatewayError(code, 'No.'))).toEqual({});
  });

  it.each(codes.filter((code) => errorTable[code].status === 503))('of %s always state when to retry', (code) => {
    expect(errorHeaders(new GatewayError(code, 'No.'))).toEqual({ 'retry-after': code === 'maintenance_mode' ? '60' : '2' });
    expect(errorHeaders(new GatewayError(code, 'No.', { retryAfterSeconds: 7 }))).toEqual({ 'retry-after': '7' });
  });

  it.each<ErrorCode>(['idempotency_conflict', 'tokens_per_minute_exceeded'])('of a permanent %s state that a retry is pointless', (code) => {
    expect(errorHeaders(new GatewayError(code, 'No.', { isPermanent: true }))).toMatchObject({ 'x-should-retry': 'false' });
  });

  it.each([[400, { 'x-should-retry': 'false' }], [408, {}], [431, { 'x-should-retry': 'false' }]])('follow the status that is sent, %i, not the status of the error code', (status, headers) => {
    expect(errorHeaders(new GatewayError('invalid_request', 'No.'), status)).toEqual(headers);
  });
});
