import type { AccountId, JsonObject } from '../primitives/primitives.js';
import type { ContextOverflow, ErrorText, LimitExcess, QuotaSnapshot, RequestLimitExcess, RequestWindow } from './refusal-details.js';

/** Every refusal and failure a caller can see; the wire gives each its status and type. */
export type ErrorCode =
  | 'invalid_request' | 'context_length_exceeded' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_balance'
  | 'email_not_verified' | 'account_inactive' | 'account_blocked' | 'api_key_blocked' | 'ip_blocked' | 'model_not_in_plan'
  | 'model_not_in_key' | 'session_required' | 'model_not_found' | 'not_found' | 'method_not_allowed' | 'idempotency_conflict'
  | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'tokens_per_minute_exceeded'
  | 'concurrency_limit_exceeded' | 'daily_limit_exceeded' | 'monthly_limit_exceeded' | 'api_key_limit_exceeded'
  | 'provider_unavailable' | 'maintenance_mode' | 'server_busy' | 'service_unavailable' | 'internal_error'
  | DashboardErrorCode;

/** Refusals of the routes that people use with a browser. */
export type DashboardErrorCode =
  | 'not_signed_in' | 'sign_in_failed' | 'second_factor_required' | 'wrong_origin' | 'fresh_proof_required' | 'sign_up_closed'
  | 'insecure_address' | 'token_invalid' | 'key_quota_exceeded' | 'conflict' | 'key_creations_exceeded' | 'too_many_attempts' | 'wrong_host';

export interface GatewayErrorDetails {
  /** The request field at fault, as the client wrote it: `messages[2].content`. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** The same request would be refused again, although others with this code are worth retrying. */
  readonly isPermanent?: boolean;
  /** The figures of `context_length_exceeded`. */
  readonly overflow?: ContextOverflow;
  /** The caller's limits at the time of the refusal, where they were already known. */
  readonly quota?: QuotaSnapshot;
  /** The window that is used up, where it is none of the plan's. */
  readonly window?: RequestWindow;
  /** Private: the limit that had no room, and its figures. */
  readonly exceeded?: LimitExcess;
  /** Private: the limit that the request exceeds, where an operator may raise it. */
  readonly requestLimit?: RequestLimitExcess;
  /** `error.details` of the reply, which clients read to recover. */
  readonly wireDetails?: JsonObject;
  /** Private: whose request is refused, where its key tells although it is not accepted. */
  readonly accountId?: AccountId;
  /** Private: goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** A refusal or failure on its way to the client. `message` is public text; anything private is in `cause`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly param: string | null;
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

  /** The same refusal, with the caller's limits. */
  withQuota(quota: QuotaSnapshot): GatewayError {
    return new GatewayError(this.code, this.message, { ...this.details, quota });
  }

  /** The same refusal, in a wire format's own words. */
  inWords({ message, param }: ErrorText): GatewayError {
    return new GatewayError(this.code, message, { ...this.details, param });
  }
}

/** A refusal of a request that does not fit a context. Each wire format words the figures. */
export function contextExceeded(overflow: ContextOverflow, cause?: unknown): GatewayError {
  return new GatewayError('context_length_exceeded', 'The request does not fit the context of the model or the plan.', { overflow, cause });
}

/** Why a sign-in or a proof was refused, for the log: the cause of an error whose code does not tell. Without an address. */
export class RefusedSignIn extends Error {}
