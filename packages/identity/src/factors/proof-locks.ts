import { needsMailedLink } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { ProofCommand, ProofSpend } from './factor-records.js';

/**
 * A successful proof resets the count of wrong ones. Not the right password in a session that has yet to prove a factor: a thief of the
 * password could otherwise alternate and guess codes without limit.
 */
export function forgetsWrongProofs({ spend, wrongEndsSession }: Pick<ProofCommand, 'spend' | 'wrongEndsSession'>): boolean {
  return spend?.kind !== 'password' || !wrongEndsSession;
}

/** A concurrent request confirmed the same app first; not a failure. A code that was used earlier is one. */
export function isOvertaken(spend: ProofSpend | null): boolean {
  return spend?.kind === 'enrolment';
}

/** A session that has yet to prove a factor ends at its next proof, right or wrong, because it began without the mailed link. */
export function endsUnconfirmed({ browser, wrongEndsSession, isConfirmed }: Pick<ProofCommand, 'browser' | 'wrongEndsSession' | 'isConfirmed'>, attempts: ProofAttempts): boolean {
  return wrongEndsSession && !isConfirmed && needsMailedLink(browser, attempts);
}

/** A factor is a second kind of proof; repeating the password is not. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}
