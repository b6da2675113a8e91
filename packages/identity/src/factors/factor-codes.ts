import type { Brand, CodeHash, Instant, PersonId } from '@tollgate/core';
import type { ProofSpend } from './factor-records.js';
import type { SecretSealer } from './secret-sealer.js';

/** Six digits. */
export type TotpCode = Brand<string, 'TotpCode'>;
/** Ten characters of `RECOVERY_ALPHABET`, normalized. */
export type RecoveryCode = Brand<string, 'RecoveryCode'>;

export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_LENGTH = 10;
/** 32 characters without look-alikes: 5 bits each. */
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const HALF = RECOVERY_CODE_LENGTH / 2;
/** Longer input is rejected unread. */
const MAX_READ = 64;
const TOTP = /^\d{6}$/;
const RECOVERY = /^[0-9a-hjkmnp-tv-z]{10}$/;

function compact(typed: string): string {
  return typed.length > MAX_READ ? '' : typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** Accepts digits in groups; `null` if invalid. */
export function readTotpCode(typed: string): TotpCode | null {
  const code = compact(typed);
  return TOTP.test(code) ? code as TotpCode : null;
}

/** Accepts either case, with or without the dash, and letters that look like digits; `null` if invalid. */
export function readRecoveryCode(typed: string): RecoveryCode | null {
  const code = compact(typed).replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return RECOVERY.test(code) ? code as RecoveryCode : null;
}

/** `abcde-fghij` */
export function writeRecoveryCode(code: RecoveryCode): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}

/** Codes in plaintext, and their hashes for the store. */
export interface IssuedCodes {
  readonly shown: readonly string[];
  readonly hashes: readonly CodeHash[];
}

export interface TypedCode {
  readonly personId: PersonId;
  readonly sealed: string;
  readonly typed: string;
  readonly at: Instant;
}

/** `spend` is `null` for a wrong code. `unreadable`: encrypted under a key that this gateway does not have. */
export type CheckedCode = { readonly outcome: 'unreadable' } | { readonly outcome: 'checked'; readonly spend: ProofSpend | null };

export interface TotpSecret {
  /** 20 random bytes. */
  readonly secret: Uint8Array;
  /** Base32, for manual entry. */
  readonly text: string;
  /** `otpauth://totp/…`, for a QR code. */
  readonly uri: string;
}

/** RFC 6238: SHA-1, six digits, steps of 30 s. */
export interface TotpCodes {
  /** The app shows `issuer` and `account`. */
  issue(issuer: string, account: string): Promise<TotpSecret>;
  /** The time step of the code, if it is the current, previous or next one; otherwise `null`. */
  stepOf(secret: Uint8Array, code: TotpCode, at: Instant): Promise<number | null>;
}

/** Codes for a person who has lost the authenticator app. */
export interface RecoveryCodes {
  /** A uniformly random code, from a cryptographic source. */
  issue(): RecoveryCode;
  /** A keyed hash: a stolen database alone does not allow guessing. */
  hash(secret: Uint8Array, code: RecoveryCode): CodeHash;
}

export interface FactorCodes {
  readonly sealer: SecretSealer;
  readonly totp: TotpCodes;
  readonly recovery: RecoveryCodes;
}
