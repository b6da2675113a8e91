export interface Refusal {
  /** The HTTP status; 0 where the gateway could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The field that is wrong, in the name of the contract; `null` where it is about the whole. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | null;
}

/** What the gateway refused, as its error envelope says it. */
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

/** Whether the error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isApiError(error) && codes.includes(error.code);
}
