import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, GatewayError, type ModelSlug, type QuotaSnapshot, type RequestId, tokenCount } from '@tollgate/core';
import { aSettlement } from '@tollgate/testkit';
import { errorTable } from './error-table.js';
import { errorHeaders, quotaHeaders, replayHeaders, requestIdHeaders, servedModelHeaders, settlementHeaders } from './response-headers.js';

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
  it('name the request under the names that clients of either format read', () => {
    expect(requestIdHeaders('req_1' as RequestId)).toEqual({ 'x-request-id': 'req_1', 'request-id': 'req_1' });
  });

  it('say the limits of section 4.6', () => {
    expect(quotaHeaders(QUOTA)).toEqual(QUOTA_HEADERS);
  });

  it('name the model that served', () => {
    expect(servedModelHeaders('m' as ModelSlug)).toEqual({ 'x-svc-model': 'm' });
  });

  it('say that a reply is given again, and to which request it was given first', () => {
    expect(replayHeaders('req_1' as RequestId)).toEqual({ 'idempotent-replayed': 'true', 'idempotent-request-id': 'req_1' });
  });

  it('state the charge and the available balance as plain decimals', () => {
    expect(settlementHeaders(aSettlement())).toEqual({ 'x-svc-tokens-debited': '12.5', 'x-svc-balance': '92.75' });
  });
});

describe('error headers', () => {
  const limited: readonly (readonly [ErrorCode, object])[] = [
    ['rate_limit_exceeded', { 'retry-after': '20' }],
    ['tokens_per_minute_exceeded', { 'retry-after': '20' }],
    ['concurrency_limit_exceeded', { 'retry-after': '20' }],
    ['daily_limit_exceeded', { 'retry-after': '20', 'x-should-retry': 'false' }],
    ['monthly_limit_exceeded', { 'retry-after': '20', 'x-should-retry': 'false' }],
  ];
  it.each(limited)('of %s say when to come back, the limits, and whether waiting is worth it', (code, headers) => {
    expect(errorHeaders(new GatewayError(code, 'No.', { retryAfterSeconds: 20, quota: QUOTA }))).toEqual({ ...QUOTA_HEADERS, ...headers });
  });

  it('of any 429 give at least one whole second', () => {
    expect(errorHeaders(new GatewayError('rate_limit_exceeded', 'No.'))).toEqual({ 'retry-after': '1' });
    expect(errorHeaders(new GatewayError('rate_limit_exceeded', 'No.', { retryAfterSeconds: 0 }))).toEqual({ 'retry-after': '1' });
    expect(errorHeaders(new GatewayError('rate_limit_exceeded', 'No.', { retryAfterSeconds: 1.2 }))).toEqual({ 'retry-after': '2' });
  });

  const others = (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status !== 429);
  it.each(others)('of %s say nothing about retrying, since nothing is known about it', (code) => {
    expect(errorHeaders(new GatewayError(code, 'No.'))).toEqual({});
  });
});
