import type { Instant, TotpCode, TotpCodes, TotpSecret } from '@tollgate/core';

/** Codes of authenticator apps. Its library is loaded at the first use. */
export class AuthenticatorCodes implements TotpCodes {
  async issue(issuer: string, account: string): Promise<TotpSecret> {
    const { issueSecret } = await import('./totp/authenticator.js');
    return issueSecret(issuer, account);
  }

  async stepOf(secret: Uint8Array, code: TotpCode, at: Instant): Promise<number | null> {
    const { stepOf } = await import('./totp/authenticator.js');
    return stepOf(secret, code, at);
  }
}
