import { needsMailedLink } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { ProofCommand, ProofSpend } from './factor-records.js';

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

/** Whether a session that has yet to prove a factor ends at its next proof, right or wrong, since it began without the mailed link. */
export function endsUnconfirmed({ browser, wrongEndsSession, isConfirmed }: Pick<ProofCommand, 'browser' | 'wrongEndsSession' | 'isConfirmed'>, attempts: ProofAttempts): boolean {
  return wrongEndsSession && !isConfirmed && needsMailedLink(browser, attempts);
}

/** A factor makes two of the one thing that the sign-in proved; the password once more does not. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}
