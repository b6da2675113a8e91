import { GatewayError } from '@tollgate/core';

/** The issuer that people sign in by does not answer, answers nonsense or does not accept the gateway; nothing has been done. */
export class IssuerFailure extends GatewayError {
  /** The reason is for the log. */
  constructor(readonly reason: string, cause: unknown) {
    super('service_unavailable', 'The sign-in service does not answer at the moment. Please try again, or sign in another way.', { cause });
  }
}
