import type { LimitFigures, LimitName } from '../limits/admission.js';
import type { RequestLimitExcess } from '../models/request-limits.js';
import type { AccountId, JsonObject, ModelSlug } from '../primitives.js';
import type { QuotaSnapshot } from '../limits/quota-snapshot.js';

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

/** A limit of a plan without room for a request, or the incident limit of a model. */
export interface LimitExcess extends LimitFigures {
  readonly limit: LimitName;
  /** `null` where it is the plan's. */
  readonly incidentModel: ModelSlug | null;
}

/** A window of requests of which none is left. */
export interface RequestWindow {
  readonly limit: number;
  readonly resetSeconds: number;
}

/** What a client reads about a refusal, and the field at fault. */
export interface ErrorText {
  readonly message: string;
  readonly param: string;
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

/** The store does not answer, or refuses for reasons of its own. The operation may have taken effect or not. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(cause: unknown, what = 'the store is not available') {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The store this process opened is no longer the one at its place: what is written to it would be lost. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** A refusal because of the store; nothing has been done. */
export function storeRefusal(cause: unknown): GatewayError {
  return new GatewayError('service_unavailable', 'The service cannot reach its own records at the moment. Please try again.', { cause });
}

/** The ledger did not take a settlement and nothing could queue it. The request is free: what took effect all the same is reversed. */
export class SettlementRefused extends StoreUnavailable {
  override readonly name = 'SettlementRefused';
}

/** Whether this says that the store of this process is lost. */
export function isStoreLost(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.cause instanceof StoreLost;
}

/** Passes a `GatewayError` on, tells when the store is away, and hides anything else behind `internal_error`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreUnavailable) return storeRefusal(thrown);
  return new GatewayError('internal_error', 'The service failed to handle this request. Please try again.', { cause: thrown });
}

/** Why a sign-in or a proof was refused, for the log: the cause of an error whose code does not tell. Without an address. */
export class RefusedSignIn extends Error {}

/** The issuer that people sign in by does not answer, answers nonsense or does not accept the gateway; nothing has been done. */
export class IssuerFailure extends GatewayError {
  /** The reason is for the log. */
  constructor(readonly reason: string, cause: unknown) {
    super('service_unavailable', 'The sign-in service does not answer at the moment. Please try again, or sign in another way.', { cause });
  }
}

/** Why a request does not fit a context, in tokens. Each wire format words it and names its own fields. */
export type ContextOverflow =
  | {
    readonly kind: 'prompt';
    readonly promptTokens: number;
    readonly maximumTokens: number;
    /** What sets the maximum: the model's window, the plan, or the window less the least reply. */
    readonly bound: 'model' | 'plan' | 'reply';
  }
  | { readonly kind: 'output'; readonly promptTokens: number; readonly outputTokens: number; readonly windowTokens: number };
