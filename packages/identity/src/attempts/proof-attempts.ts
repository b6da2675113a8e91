import { type Instant, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { FailureNotice } from './failures-in-a-row.js';

/** After this many wrong codes and passwords, a session that has not proved its second factor ends. */
export const WRONG_CODES_PER_SESSION = 5;
/**
 * Number of consecutive wrong proofs of a person, in all sessions together, after which proofs are locked. Known and unknown browsers are counted and
 * locked separately.
 */
export const WRONG_CODES_IN_A_ROW = 10;
/** Duration of the first lock. Each further lock lasts twice as long as the one before, up to a day. */
export const PROOF_LOCK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const MAX_PROOF_LOCK_MILLISECONDS = 24 * MILLISECONDS_PER_HOUR;

/** Number of consecutive failures from unknown browsers after which a sign-in also needs a mailed link. */
export const MAX_FAILURES = 100;

/** Attempts since the last successful proof, for known or for unknown browsers. A complete sign-in resets `failures` and `lastNotice`. */
export interface ProofAttempts {
  readonly wrongInARow: number;
  /** `null` before the first lock. */
  readonly lockedUntil: Instant | null;
  /** Wrong passwords at sign-in and wrong proofs. */
  readonly failures: number;
  /** `null` if no notice was sent. */
  readonly lastNotice: FailureNotice | null;
}

export const NO_ATTEMPTS: ProofAttempts = { wrongInARow: 0, lockedUntil: null, failures: 0, lastNotice: null };

/** When the lock ends; `null` if proofs are not locked. */
export function lockOf({ lockedUntil }: ProofAttempts, at: Instant): Instant | null {
  return lockedUntil !== null && at < lockedUntil ? lockedUntil : null;
}

/** Call only while proofs are not locked. Every tenth consecutive wrong proof locks them. */
export function afterWrongProof(before: ProofAttempts, at: Instant): ProofAttempts {
  const wrong = before.wrongInARow + 1;
  const counted = { ...afterWrongPassword(before), wrongInARow: wrong };
  if (wrong % WRONG_CODES_IN_A_ROW !== 0) return counted;
  const lock = PROOF_LOCK_MILLISECONDS * 2 ** (wrong / WRONG_CODES_IN_A_ROW - 1);
  return { ...counted, lockedUntil: later(at, Math.min(MAX_PROOF_LOCK_MILLISECONDS, lock)) };
}

/** A wrong password counts as a failure, but does not lock proofs. */
export function afterWrongPassword(before: ProofAttempts): ProofAttempts {
  return { ...before, failures: before.failures + 1 };
}
