import type { Instant } from '@tollgate/core';
import type { TotpCode, TotpCodes, TotpSecret } from '@tollgate/identity';

/** The defaults of every authenticator app. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are accepted too, for clocks that differ and for slow typists. */
const WINDOW = 1;

/** Codes of authenticator apps (RFC 6238), by the library otpauth, which is loaded at the first use. */
export class AuthenticatorCodes implements TotpCodes {
  async issue(issuer: string, account: string): Promise<TotpSecret> {
    const { Secret, TOTP } = await import('otpauth');
    const secret = new Secret({ size: SECRET_BYTES });
    const uri = new TOTP({ ...PARAMETERS, secret, issuer: withoutColon(issuer), label: withoutColon(account) }).toString();
    return { secret: secret.bytes, text: secret.base32, uri };
  }

  /** The time step that a code belongs to, if it is within the window. */
  async stepOf(bytes: Uint8Array, token: TotpCode, at: Instant): Promise<number | null> {
    const { Secret, TOTP } = await import('otpauth');
    // The library reads the whole buffer behind an array, which may be larger than the array.
    const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
    const delta = TOTP.validate({ ...PARAMETERS, secret, token, timestamp: at, window: WINDOW });
    return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp: at }) + delta;
  }
}

/** Apps split the label at a colon. */
function withoutColon(text: string): string {
  return text.replaceAll(':', ' ');
}
