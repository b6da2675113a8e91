import { type ErrorCode, GatewayError } from '@tollgate/core';

/** What the caller of a refused request learns. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly message: string;
}

/** The refusal that a step throws; `null` when it goes through. Anything but a `GatewayError` is thrown on. */
export function refusalOf(step: () => unknown): Refusal | null {
  try {
    step();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { code: thrown.code, param: thrown.param, message: thrown.message };
  }
}
