import { type Instant, MILLISECONDS_PER_MINUTE, type PasskeyId, type PersonId } from '@tollgate/core';

export interface Passkey {
  readonly id: PasskeyId;
  readonly personId: PersonId;
  readonly name: string;
  /** By the authenticator's last report, it exists on other devices too. */
  readonly backedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** For verifying signatures. */
export interface PasskeyCredential {
  /** Base64url; unique. */
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** Last signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  /** For the browser: `internal`, `usb` and others. */
  readonly transports: readonly string[];
}

export interface StoredPasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
}

/** Per person. */
export const MAX_PASSKEYS = 20;
export const PASSKEY_CHALLENGE_MILLISECONDS = 5 * MILLISECONDS_PER_MINUTE;

/** Otherwise the authenticator may be a clone. */
export function counterAdvances(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}
