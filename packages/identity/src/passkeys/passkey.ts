import { type Instant, MILLISECONDS_PER_MINUTE, type PasskeyId, type PersonId } from '@tollgate/core';

/** A passkey as its person sees it. */
export interface Passkey {
  readonly id: PasskeyId;
  readonly personId: PersonId;
  readonly name: string;
  /** Whether it exists on other devices too, as its authenticator last said. */
  readonly backedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** What an authenticator's answers are checked by. */
export interface PasskeyCredential {
  /** In base64url; unique among all people. */
  readonly credentialId: string;
  /** In COSE and base64url. */
  readonly publicKey: string;
  /** Signatures so far; always 0 where the authenticator does not count. */
  readonly counter: number;
  /** How a browser reaches the authenticator: `internal`, `usb` … */
  readonly transports: readonly string[];
}

export interface StoredPasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
}

/** Passkeys that one person may have. */
export const MAXIMUM_PASSKEYS = 20;
/** How long a browser may take to answer. */
export const PASSKEY_CHALLENGE_MILLISECONDS = 5 * MILLISECONDS_PER_MINUTE;

/** Whether a signature's counter follows the stored one. A counter that does not advance tells of a copied authenticator. */
export function counterAdvances(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}
