import { GatewayError } from '@tollgate/core';

/** The issuer does not answer, answers incorrectly, or rejects the gateway; the sign-in had no effect. */
export class IssuerFailure extends GatewayError {
  /** @param reason For the log. */
  constructor(readonly reason: string, cause: unknown) {
    super('service_unavailable', 'The sign-in service does not answer at the moment. Please try again, or sign in another way.', { cause });
  }
}
