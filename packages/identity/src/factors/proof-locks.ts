import { needsMailedLink } from '../attempts/failures-in-a-row.js';
import type { ProofAttempts } from '../attempts/proof-attempts.js';
import type { ProofCommand, ProofSpend } from './factor-records.js';

/**
 * True if a successful proof resets the count of wrong ones. In a session that has not proved a required factor, the correct password does not reset
 * it: a thief of the password could otherwise alternate it with guessed codes without limit.
 */
export function forgetsWrongProofs({ spend, wrongEndsSession }: Pick<ProofCommand, 'spend' | 'wrongEndsSession'>): boolean {
  return spend?.kind !== 'password' || !wrongEndsSession;
}

/**
 * For a correct proof that the store refused: true if a concurrent request confirmed the same app first, which is not a failure. A reused code is a
 * failure.
 */
export function isOvertaken(spend: ProofSpend | null): boolean {
  return spend?.kind === 'enrolment';
}

/**
 * True if this proof ends the session, whether it is right or wrong. After `MAX_FAILURES` consecutive failures from unknown browsers, such a browser
 * needs a mailed link: a session in it ends if it began without the link and has not proved a required factor.
 */
export function endsUnconfirmed({ browser, wrongEndsSession, isConfirmed }: Pick<ProofCommand, 'browser' | 'wrongEndsSession' | 'isConfirmed'>, attempts: ProofAttempts): boolean {
  return wrongEndsSession && !isConfirmed && needsMailedLink(browser, attempts);
}

/** True if the proof is of a second factor; repeating the password does not raise the assurance. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}
