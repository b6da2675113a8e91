import type { ErrorCode } from '@tollgate/core';

/** The value of `error.type`, in every format; the responses format has another value for limits by day or month. */
export type ErrorType =
  | 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'not_found_error'
  | 'rate_limit_error' | 'request_too_large' | 'overloaded_error' | 'api_error';

export interface ErrorAppearance {
  readonly status: number;
  readonly type: ErrorType;
}

const INVALID: ErrorAppearance = { status: 400, type: 'invalid_request_error' };
const UNAUTHENTICATED: ErrorAppearance = { status: 401, type: 'authentication_error' };
const FORBIDDEN: ErrorAppearance = { status: 403, type: 'permission_error' };
const NOT_FOUND: ErrorAppearance = { status: 404, type: 'not_found_error' };
const LIMITED: ErrorAppearance = { status: 429, type: 'rate_limit_error' };
const UNAVAILABLE: ErrorAppearance = { status: 503, type: 'overloaded_error' };

/** Status and type of each error code; the only such table, for all formats and routes. */
export const errorTable: Readonly<Record<ErrorCode, ErrorAppearance>> = {
  invalid_request: INVALID,
  context_length_exceeded: INVALID,
  missing_api_key: UNAUTHENTICATED,
  invalid_api_key: UNAUTHENTICATED,
  insufficient_balance: { status: 402, type: 'invalid_request_error' },
  email_not_verified: FORBIDDEN,
  account_inactive: FORBIDDEN,
  account_blocked: FORBIDDEN,
  api_key_blocked: FORBIDDEN,
  ip_blocked: FORBIDDEN,
  model_not_in_plan: FORBIDDEN,
  model_not_in_key: FORBIDDEN,
  session_required: FORBIDDEN,
  scope_missing: FORBIDDEN,
  model_not_found: NOT_FOUND,
  not_found: NOT_FOUND,
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  idempotency_conflict: { status: 409, type: 'invalid_request_error' },
  cursor_lost: { status: 410, type: 'invalid_request_error' },
  payload_too_large: { status: 413, type: 'request_too_large' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  rate_limit_exceeded: LIMITED,
  tokens_per_minute_exceeded: LIMITED,
  concurrency_limit_exceeded: LIMITED,
  daily_limit_exceeded: LIMITED,
  monthly_limit_exceeded: LIMITED,
  api_key_limit_exceeded: LIMITED,
  internal_error: { status: 500, type: 'api_error' },
  provider_unavailable: UNAVAILABLE,
  maintenance_mode: UNAVAILABLE,
  server_busy: UNAVAILABLE,
  service_unavailable: UNAVAILABLE,
  not_signed_in: UNAUTHENTICATED,
  sign_in_failed: UNAUTHENTICATED,
  second_factor_required: FORBIDDEN,
  consent_required: FORBIDDEN,
  wrong_origin: FORBIDDEN,
  fresh_proof_required: FORBIDDEN,
  sign_up_closed: FORBIDDEN,
  insecure_address: FORBIDDEN,
  token_invalid: INVALID,
  key_quota_exceeded: { status: 409, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  key_creations_exceeded: LIMITED,
  too_many_attempts: LIMITED,
  wrong_host: { status: 421, type: 'invalid_request_error' },
};

export function statusOf(code: ErrorCode): number {
  return errorTable[code].status;
}

export function typeOf(code: ErrorCode): ErrorType {
  return errorTable[code].type;
}
