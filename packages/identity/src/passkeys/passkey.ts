import { type Instant, MILLISECONDS_PER_MINUTE, type PasskeyId, type PersonId } from '@tollgate/core';

export interface Passkey {
  readonly id: PasskeyId;
  readonly personId: PersonId;
  readonly name: string;
  /** The authenticator's last report: the passkey exists on other devices too. */
  readonly backedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** The data that signatures are verified with. */
export interface PasskeyCredential {
  /** In base64url; unique. */
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  /** The last signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  /** Hints for the browser: `internal`, `usb` and others. */
  readonly transports: readonly string[];
}

export interface StoredPasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
}

/** Per person. */
export const MAX_PASSKEYS = 20;
export const PASSKEY_CHALLENGE_MILLISECONDS = 5 * MILLISECONDS_PER_MINUTE;

/** A counter that does not advance indicates a cloned authenticator. */
export function counterAdvances(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}
