import type { ProofCommand, ProofSpend } from '../ports/factor-records.js';
import { type Instant, later, MILLISECONDS_PER_MINUTE } from '../time/instant.js';

/** A session that has yet to prove its factor ends with so many wrong codes. */
export const WRONG_CODES_PER_SESSION = 5;
/** A person's proofs are refused for a while after so many wrong ones in a row, over all sessions. */
export const WRONG_CODES_IN_A_ROW = 10;
export const PROOF_LOCK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;

/** A person's wrong proofs since the last right one, or since the last lock. */
export interface ProofAttempts {
  readonly wrongInARow: number;
  /** `null` before the first lock. */
  readonly lockedUntil: Instant | null;
}

export const NO_ATTEMPTS: ProofAttempts = { wrongInARow: 0, lockedUntil: null };

/**
 * Whether a right proof ends the count of the wrong ones. The password does not in a session that has yet to prove a factor: between two right
 * passwords, a thief of the password could guess a few codes, again and again without end.
 */
export function forgetsWrongProofs({ spend, wrongEndsSession }: Pick<ProofCommand, 'spend' | 'wrongEndsSession'>): boolean {
  return spend?.kind !== 'password' || !wrongEndsSession;
}

/** Whether a right proof that could not be spent came second at the same time, which counts as no wrong one. A code that was spent before is one. */
export function isOvertaken(spend: ProofSpend | null): boolean {
  return spend?.kind === 'enrolment';
}

/** When proofs are taken again; `null` when they are taken now. */
export function lockOf({ lockedUntil }: ProofAttempts, at: Instant): Instant | null {
  return lockedUntil !== null && at < lockedUntil ? lockedUntil : null;
}

/** After one more wrong proof, made while there was no lock. A lock resets the count. */
export function afterWrongProof({ wrongInARow, lockedUntil }: ProofAttempts, at: Instant): ProofAttempts {
  const wrong = wrongInARow + 1;
  return wrong < WRONG_CODES_IN_A_ROW ? { wrongInARow: wrong, lockedUntil } : { wrongInARow: 0, lockedUntil: later(at, PROOF_LOCK_MILLISECONDS) };
}
