import type { CodeHash } from '../ids.js';
import type { RecoveryCode, TotpCode } from '../people/one-time-code.js';
import type { Instant } from '../time/instant.js';

/** A secret as it was before it was sealed. */
export interface OpenedSecret {
  readonly secret: Uint8Array;
  /** Sealed under the key before the present one, so it should be sealed again before that key is removed. */
  readonly outdated: boolean;
}

/** Encrypts what a store keeps and must be able to use again. */
export interface SecretSealer {
  /** What is sealed for one owner opens for no other. Two seals of one secret differ. */
  seal(secret: Uint8Array, owner: string): string;
  /** `null` when it was sealed for another owner or under a key that is not known here, or was changed. */
  open(sealed: string, owner: string): OpenedSecret | null;
}

/** A secret that is shared with an authenticator app. */
export interface TotpSecret {
  /** 20 random bytes. */
  readonly secret: Uint8Array;
  /** The same in base32, for an app that cannot scan. */
  readonly text: string;
  /** `otpauth://totp/…`, for a QR code. */
  readonly uri: string;
}

/** Codes of authenticator apps (RFC 6238: SHA-1, six digits, steps of 30 s). */
export interface TotpCodes {
  /** `issuer` and `account` are what the app shows. */
  issue(issuer: string, account: string): Promise<TotpSecret>;
  /** The number of the time step that the code is of: the present one, the one before or the next. `null` for any other code. */
  stepOf(secret: Uint8Array, code: TotpCode, at: Instant): Promise<number | null>;
}

/** Codes for the day when the authenticator app is gone. */
export interface RecoveryCodes {
  /** From a cryptographic source, each character equally likely. */
  issue(): RecoveryCode;
  /** Keyed, so that a stolen database alone does not let anyone try codes against it. */
  hash(secret: Uint8Array, code: RecoveryCode): CodeHash;
}

/** What second factors need of cryptography. */
export interface FactorCodes {
  readonly sealer: SecretSealer;
  readonly totp: TotpCodes;
  readonly recovery: RecoveryCodes;
}
