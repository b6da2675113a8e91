import type { Person } from '../people/person.js';
import type { Session } from './session.js';

/** Of whom a second factor is required. */
export type SecondFactorPolicy = 'none' | 'operators' | 'everybody';

/**
 * What a session may do: everything, prove a second factor only, or enrol the first one only. `operator-link`: nothing; an operator without the
 * factor that is required signs in by a link of `tollgate operators link`.
 */
export type SessionReach = 'full' | 'prove-factor' | 'enrol-factor' | 'operator-link';

function requiresFactor(policy: SecondFactorPolicy, { role, factors }: Person): boolean {
  if (factors.length > 0 || policy === 'everybody') return true;
  return policy === 'operators' && role === 'operator';
}

/** A factor that a person has is required of them on every way in, whatever the policy. */
export function sessionReach(policy: SecondFactorPolicy, person: Person, session: Pick<Session, 'assurance' | 'signedInBy'>): SessionReach {
  if (session.assurance === 'two-factor' || !requiresFactor(policy, person)) return 'full';
  if (person.factors.length > 0) return 'prove-factor';
  return mayEnrol(person, session) ? 'enrol-factor' : 'operator-link';
}

/** A mailbox alone makes no operator: a password can be reset by mail, and an issuer goes by the address, so neither is enough to enrol an operator's first factor. */
function mayEnrol({ role }: Person, { assurance, signedInBy }: Pick<Session, 'assurance' | 'signedInBy'>): boolean {
  return role !== 'operator' || signedInBy === 'link' || assurance === 'factor-removed';
}

/** Whether a reset by mail, and every other proof of the mailbox alone, removes a person's second factors and recovery codes. An operator's stay. */
export function mailboxRemovesFactors({ role }: Pick<Person, 'role'>): boolean {
  return role !== 'operator';
}

/** Whether a session may add a factor: not one that has yet to prove one, nor an operator's that was not begun by a link. */
export function mayAddFactor(reach: SessionReach): boolean {
  return reach === 'full' || reach === 'enrol-factor';
}
