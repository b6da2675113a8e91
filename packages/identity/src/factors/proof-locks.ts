import { needsMailedLink } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { ProofCommand, ProofSpend } from './factor-records.js';

/**
 * True if a successful proof resets the count of wrong ones. The right password does not reset it in a session that has yet to
 * prove a factor: otherwise a thief of the password could guess codes without limit by alternating.
 */
export function forgetsWrongProofs({ spend, wrongEndsSession }: Pick<ProofCommand, 'spend' | 'wrongEndsSession'>): boolean {
  return spend?.kind !== 'password' || !wrongEndsSession;
}

/** True if a concurrent request confirmed the same app first; not counted as a failure. A code that was used earlier is counted. */
export function isOvertaken(spend: ProofSpend | null): boolean {
  return spend?.kind === 'enrolment';
}

/** True if a session that has yet to prove a factor ends at its next proof, right or wrong, because it began without the mailed link. */
export function endsUnconfirmed({ browser, wrongEndsSession, isConfirmed }: Pick<ProofCommand, 'browser' | 'wrongEndsSession' | 'isConfirmed'>, attempts: ProofAttempts): boolean {
  return wrongEndsSession && !isConfirmed && needsMailedLink(browser, attempts);
}

/** A factor adds a second kind of proof to the sign-in; repeating the password does not. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}
