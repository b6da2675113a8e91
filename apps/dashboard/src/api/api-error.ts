export interface Refusal {
  /** 0 if the gateway could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The contract's name of the invalid field; `null` for the whole request. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Seconds until the next attempt. */
  readonly retryAfter: number | null;
}

/** The gateway's error envelope. */
export class ApiError extends Error implements Refusal {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ status, code, message, param, requestId, retryAfter }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isApiError(error) && codes.includes(error.code);
}
