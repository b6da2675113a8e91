import type { Instant } from '@tollgate/core';
import type { TotpCode, TotpCodes, TotpSecret } from '@tollgate/identity';

/** Values that every authenticator app uses by default. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Accepted steps before and after the current one, for clock differences and slow typing. */
const WINDOW = 1;

/** Codes of RFC 6238, by the library otpauth, which is loaded on first use. */
export class AuthenticatorCodes implements TotpCodes {
  async issue(issuer: string, account: string): Promise<TotpSecret> {
    const { Secret, TOTP } = await import('otpauth');
    const secret = new Secret({ size: SECRET_BYTES });
    const uri = new TOTP({ ...PARAMETERS, secret, issuer: withoutColon(issuer), label: withoutColon(account) }).toString();
    return { secret: secret.bytes, text: secret.base32, uri };
  }

  /** Time step to which the code belongs; `null` if it belongs to no step of the window. */
  async stepOf(bytes: Uint8Array, token: TotpCode, at: Instant): Promise<number | null> {
    const { Secret, TOTP } = await import('otpauth');
    // The library reads the whole underlying buffer, which may be larger than the array.
    const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
    const delta = TOTP.validate({ ...PARAMETERS, secret, token, timestamp: at, window: WINDOW });
    return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp: at }) + delta;
  }
}

/** Apps split labels at colons. */
function withoutColon(text: string): string {
  return text.replaceAll(':', ' ');
}
