import type { Instant, TotpCode, TotpSecret } from '@tollgate/core';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app takes without being told. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes are right too: for clocks that differ, and fingers. */
const WINDOW = 1;

/** Apps split what they show at a colon. */
function withoutColon(text: string): string {
  return text.replaceAll(':', ' ');
}

export function issueSecret(issuer: string, account: string): TotpSecret {
  const secret = new Secret({ size: SECRET_BYTES });
  const uri = new TOTP({ ...PARAMETERS, secret, issuer: withoutColon(issuer), label: withoutColon(account) }).toString();
  return { secret: secret.bytes, text: secret.base32, uri };
}

/** The time step that a code is of, if it is within the window. */
export function stepOf(bytes: Uint8Array, token: TotpCode, at: Instant): number | null {
  // The library takes the whole buffer behind an array, which may be larger.
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  const delta = TOTP.validate({ ...PARAMETERS, secret, token, timestamp: at, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp: at }) + delta;
}
