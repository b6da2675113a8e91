import type { Brand, CodeHash, Instant, PersonId } from '@tollgate/core';
import type { ProofSpend } from './factor-records.js';
import type { SecretSealer } from './secret-sealer.js';

/** Six digits of an authenticator app. */
export type TotpCode = Brand<string, 'TotpCode'>;
/** Ten characters of `RECOVERY_ALPHABET`, in the one form in which they are hashed. */
export type RecoveryCode = Brand<string, 'RecoveryCode'>;

/** How many recovery codes a person gets. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_LENGTH = 10;
/** Digits and letters without those that look like others: 5 bits each. */
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const HALF = RECOVERY_CODE_LENGTH / 2;
/** Longer texts are refused before any work is done on them. */
const LONGEST_READ = 64;
const TOTP = /^\d{6}$/;
const RECOVERY = /^[0-9a-hjkmnp-tv-z]{10}$/;

function compact(typed: string): string {
  return typed.length > LONGEST_READ ? '' : typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** Reads a code as a person types or pastes it, in groups or not; `null` when it is none. */
export function readTotpCode(typed: string): TotpCode | null {
  const code = compact(typed);
  return TOTP.test(code) ? code as TotpCode : null;
}

/** Reads a code with or without its dash, in either letter case, and letters for the digits that they look like; `null` when it is none. */
export function readRecoveryCode(typed: string): RecoveryCode | null {
  const code = compact(typed).replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return RECOVERY.test(code) ? code as RecoveryCode : null;
}

/** `abcde-fghij` */
export function writeRecoveryCode(code: RecoveryCode): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}

/** Recovery codes as they are shown, and as they are stored. */
export interface IssuedCodes {
  readonly shown: readonly string[];
  readonly hashes: readonly CodeHash[];
}

/** A code that a person has typed, for the app whose secret is sealed here. */
export interface TypedCode {
  readonly personId: PersonId;
  readonly sealed: string;
  readonly typed: string;
  readonly at: Instant;
}

/** `spend` is `null` for a wrong code. `unreadable`: the secret was sealed under a key that this gateway does not have. */
export type CheckedCode = { readonly outcome: 'unreadable' } | { readonly outcome: 'checked'; readonly spend: ProofSpend | null };

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
