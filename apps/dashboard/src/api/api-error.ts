export interface Fault {
  /** The field's name in the contract. */
  readonly field: string;
  /** A sentence, in the language of the page if the gateway states a known code of the fault, otherwise in English. */
  readonly text: string;
}

export interface Refusal {
  /** 0 if the gateway could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Empty if the whole request is refused. */
  readonly faults: readonly Fault[];
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt; `null` if the reply does not say. */
  readonly retryAfter: number | null;
}

/** A refusal by the gateway, or a failure to reach it. */
export class ApiError extends Error implements Refusal {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly faults: readonly Fault[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ status, code, message, faults, requestId, retryAfter }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
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
