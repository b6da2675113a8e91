import type { Brand } from '../ids.js';

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
