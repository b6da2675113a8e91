import type { ProofSpend } from '../ports/factor-records.js';
import type { Person } from './person.js';
import type { Session } from './session.js';

/** Of whom a second factor is required. */
export type SecondFactorPolicy = 'none' | 'operators' | 'everybody';

/** What a session may do: everything, prove a second factor only, or enrol the first one only. */
export type SessionReach = 'full' | 'prove-factor' | 'enrol-factor';

function requiresFactor(policy: SecondFactorPolicy, { role, factors }: Person): boolean {
  if (factors.length > 0 || policy === 'everybody') return true;
  return policy === 'operators' && role === 'operator';
}

/** A factor that a person has is required of them on every way in, whatever the policy. */
export function sessionReach(policy: SecondFactorPolicy, person: Person, { assurance }: Pick<Session, 'assurance'>): SessionReach {
  if (assurance === 'two-factor' || !requiresFactor(policy, person)) return 'full';
  return person.factors.length > 0 ? 'prove-factor' : 'enrol-factor';
}

/** A factor makes two of the one thing that the sign-in proved; the password once more does not. */
export function raisesAssurance(proof: ProofSpend['kind']): boolean {
  return proof !== 'password';
}
