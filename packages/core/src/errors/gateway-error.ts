import type { AccountId } from '../primitives/ids.js';
import type { JsonObject } from '../primitives/json.js';
import type { FieldFault } from './field-fault.js';
import type { ContextOverflow, ErrorText, LimitExcess, QuotaSnapshot, RequestLimitExcess, RequestWindow } from './refusal-details.js';

/** Wire formats map each code to a status and an error type. */
export type ErrorCode =
  | 'invalid_request' | 'context_length_exceeded' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_balance'
  | 'email_not_verified' | 'account_inactive' | 'account_blocked' | 'api_key_blocked' | 'ip_blocked' | 'model_not_in_plan'
  | 'model_not_in_key' | 'session_required' | 'model_not_found' | 'not_found' | 'method_not_allowed' | 'idempotency_conflict'
  | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'tokens_per_minute_exceeded'
  | 'concurrency_limit_exceeded' | 'daily_limit_exceeded' | 'monthly_limit_exceeded' | 'api_key_limit_exceeded'
  | 'provider_unavailable' | 'maintenance_mode' | 'server_busy' | 'service_unavailable' | 'internal_error'
  | 'scope_missing' | 'cursor_lost'
  | DashboardErrorCode;

/** Codes of the dashboard; admin routes use some of them, generation routes none. */
export type DashboardErrorCode =
  | 'not_signed_in' | 'sign_in_failed' | 'second_factor_required' | 'consent_required' | 'wrong_origin' | 'fresh_proof_required' | 'sign_up_closed'
  | 'insecure_address' | 'token_invalid' | 'key_quota_exceeded' | 'conflict' | 'key_creations_exceeded' | 'too_many_attempts' | 'wrong_host';

export interface GatewayErrorDetails {
  /** Path of the invalid field: `messages[2].content`. */
  readonly param?: string;
  /** All fields at fault; the wire formats report `param` only. */
  readonly faults?: readonly FieldFault[];
  readonly retryAfterSeconds?: number;
  /** Retrying does not help, although the code is usually retryable. */
  readonly isPermanent?: boolean;
  /** For `context_length_exceeded`. */
  readonly overflow?: ContextOverflow;
  /** Present if the limits were read before the refusal. */
  readonly quota?: QuotaSnapshot;
  /** The exhausted window, if it is not a window of the plan. */
  readonly window?: RequestWindow;
  /** For the log only: the exceeded limit with its figures. */
  readonly exceeded?: LimitExcess;
  /** For operators only: the exceeded limit, if they can raise it. */
  readonly requestLimit?: RequestLimitExcess;
  /** `error.details` in the response. */
  readonly wireDetails?: JsonObject;
  /** For the log only: the account of a rejected key, if known. */
  readonly accountId?: AccountId;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Reported to the client: `message` is public, `cause` is not. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly param: string | null;
  readonly faults: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;
  readonly isPermanent: boolean;
  readonly overflow: ContextOverflow | null;
  readonly quota: QuotaSnapshot | null;
  readonly window: RequestWindow | null;
  readonly exceeded: LimitExcess | null;
  readonly requestLimit: RequestLimitExcess | null;
  readonly accountId: AccountId | null;
  readonly wireDetails: JsonObject | null;
  readonly details: GatewayErrorDetails;

  constructor(readonly code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.param = details.param ?? null;
    this.faults = details.faults ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.isPermanent = details.isPermanent ?? false;
    this.overflow = details.overflow ?? null;
    this.quota = details.quota ?? null;
    this.window = details.window ?? null;
    this.exceeded = details.exceeded ?? null;
    this.requestLimit = details.requestLimit ?? null;
    this.accountId = details.accountId ?? null;
    this.wireDetails = details.wireDetails ?? null;
    this.details = details;
  }

  withQuota(quota: QuotaSnapshot): GatewayError {
    return new GatewayError(this.code, this.message, { ...this.details, quota });
  }

  /** The same error with the wire format's message and field path. */
  inWords({ message, param }: ErrorText): GatewayError {
    return new GatewayError(this.code, message, { ...this.details, param });
  }
}

export function contextExceeded(overflow: ContextOverflow, cause?: unknown): GatewayError {
  return new GatewayError('context_length_exceeded', 'The request does not fit the context of the model or the plan.', { overflow, cause });
}

/** `cause` of a refused sign-in: states the reason that the response conceals. Contains no address. */
export class RefusedSignIn extends Error {}

/** `cause` of a refused machine: states the reason that the response conceals. Contains no secret. */
export class RefusedMachine extends Error {}
