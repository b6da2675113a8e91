import { type Instant, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { FailureNotice } from './failures-in-a-row.js';

/** A session that has yet to prove its factor ends with so many wrong codes. */
export const WRONG_CODES_PER_SESSION = 5;
/** A person's proofs are refused for a while after so many wrong ones in a row, over all sessions. */
export const WRONG_CODES_IN_A_ROW = 10;
/** Of the first lock; each further one in a row lasts twice as long, up to a day. */
export const PROOF_LOCK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const LONGEST_PROOF_LOCK_MILLISECONDS = 24 * MILLISECONDS_PER_HOUR;

/** From browsers that are not known, after so many wrong passwords and codes in a row, a right one needs a mailed link besides. */
export const MOST_FAILURES = 100;

/** What went wrong for a person since the last right proof, in browsers of one standing. */
export interface ProofAttempts {
  readonly wrongInARow: number;
  /** `null` before the first lock. */
  readonly lockedUntil: Instant | null;
  /** Wrong passwords of sign-ins, and wrong proofs. */
  readonly failures: number;
  /** The last notice that the person got; `null` for none. */
  readonly told: FailureNotice | null;
}

export const NO_ATTEMPTS: ProofAttempts = { wrongInARow: 0, lockedUntil: null, failures: 0, told: null };

/** When proofs are taken again; `null` when they are taken now. */
export function lockOf({ lockedUntil }: ProofAttempts, at: Instant): Instant | null {
  return lockedUntil !== null && at < lockedUntil ? lockedUntil : null;
}

/** After one more wrong proof, made while there was no lock. Every tenth in a row begins one. */
export function afterWrongProof(before: ProofAttempts, at: Instant): ProofAttempts {
  const wrong = before.wrongInARow + 1;
  const counted = { ...afterWrongPassword(before), wrongInARow: wrong };
  if (wrong % WRONG_CODES_IN_A_ROW !== 0) return counted;
  const lock = PROOF_LOCK_MILLISECONDS * 2 ** (wrong / WRONG_CODES_IN_A_ROW - 1);
  return { ...counted, lockedUntil: later(at, Math.min(LONGEST_PROOF_LOCK_MILLISECONDS, lock)) };
}

/** After one more sign-in with a wrong password, which locks no proofs. */
export function afterWrongPassword(before: ProofAttempts): ProofAttempts {
  return { ...before, failures: before.failures + 1 };
}
