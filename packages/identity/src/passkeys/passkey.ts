import { type Instant, MILLISECONDS_PER_MINUTE, type PasskeyId, type PersonId } from '@tollgate/core';

export interface Passkey {
  readonly id: PasskeyId;
  readonly personId: PersonId;
  readonly name: string;
  /** True if, by the authenticator's last report, the passkey is also on other devices. */
  readonly backedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** What verifies a passkey's signatures. */
export interface PasskeyCredential {
  /** Unique; in Base64url. */
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** Last signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  /** Hints for the browser: `internal`, `usb` and others. */
  readonly transports: readonly string[];
}

export interface StoredPasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
}

/** Maximum number per person. */
export const MAX_PASSKEYS = 20;
export const PASSKEY_CHALLENGE_MILLISECONDS = 5 * MILLISECONDS_PER_MINUTE;

/** False if the counter did not advance, which means that the authenticator may be a clone. Always true for one that does not count. */
export function counterAdvances(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}
