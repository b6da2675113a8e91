import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@tollgate/core';
import { errorTable, statusOf, typeOf } from './error-table.js';

const TABLE: readonly (readonly [codes: readonly ErrorCode[], status: number, type: string])[] = [
  [['invalid_request', 'context_length_exceeded'], 400, 'invalid_request_error'],
  [['missing_api_key', 'invalid_api_key'], 401, 'authentication_error'],
  [['insufficient_balance'], 402, 'invalid_request_error'],
  [
    ['email_not_verified', 'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'model_not_in_plan', 'model_not_in_key', 'session_required', 'scope_missing'],
    403,
    'permission_error',
  ],
  [['model_not_found', 'not_found'], 404, 'not_found_error'],
  [['method_not_allowed'], 405, 'invalid_request_error'],
  [['idempotency_conflict'], 409, 'invalid_request_error'],
  [['cursor_lost'], 410, 'invalid_request_error'],
  [['payload_too_large'], 413, 'request_too_large'],
  [['unsupported_media_type'], 415, 'invalid_request_error'],
  [
    ['rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded'],
    429,
    'rate_limit_error',
  ],
  [['token_invalid'], 400, 'invalid_request_error'],
  [['not_signed_in', 'sign_in_failed'], 401, 'authentication_error'],
  [['second_factor_required', 'consent_required', 'wrong_origin', 'fresh_proof_required', 'sign_up_closed', 'insecure_address'], 403, 'permission_error'],
  [['key_quota_exceeded', 'conflict'], 409, 'invalid_request_error'],
  [['wrong_host'], 421, 'invalid_request_error'],
  [['key_creations_exceeded', 'too_many_attempts'], 429, 'rate_limit_error'],
  [['internal_error'], 500, 'api_error'],
  [['provider_unavailable', 'maintenance_mode', 'server_busy', 'service_unavailable'], 503, 'overloaded_error'],
];
const ROWS = TABLE.flatMap(([codes, status, type]) => codes.map((code) => [code, status, type] as const));

describe('the error table', () => {
  it.each(ROWS)('shows %s as %i %s', (code, status, type) => {
    expect([statusOf(code), typeOf(code)]).toEqual([status, type]);
  });

  it('has only the codes that this test lists', () => {
    expect(Object.keys(errorTable).toSorted()).toEqual(ROWS.map(([code]) => code).toSorted());
  });
});
