import type { Person } from '../people/person.js';
import type { Session } from './session.js';

export type SecondFactorPolicy = 'none' | 'operators' | 'everybody';

/**
 * `prove-factor` and `enrol-factor` allow only what they name. `operator-link` allows nothing: an operator without the required factor signs in by a
 * link of `tollgate operators link`.
 */
export type SessionReach = 'full' | 'prove-factor' | 'enrol-factor' | 'operator-link';

function requiresFactor(policy: SecondFactorPolicy, { role, factors }: Person): boolean {
  if (factors.length > 0 || policy === 'everybody') return true;
  return policy === 'operators' && role === 'operator';
}

/** A person's factor is required for every way of signing in, whatever the policy. */
export function sessionReach(policy: SecondFactorPolicy, person: Person, session: Pick<Session, 'assurance' | 'signedInBy'>): SessionReach {
  if (session.assurance === 'two-factor' || !requiresFactor(policy, person)) return 'full';
  if (person.factors.length > 0) return 'prove-factor';
  return mayEnrol(person, session) ? 'enrol-factor' : 'operator-link';
}

/** An operator's first factor needs more than access to the mailbox: passwords can be reset by mail, and issuers vouch only for an address. */
function mayEnrol({ role }: Person, { assurance, signedInBy }: Pick<Session, 'assurance' | 'signedInBy'>): boolean {
  return role !== 'operator' || signedInBy === 'link' || assurance === 'factor-removed';
}

/** True if a reset, or another proof of access to the mailbox, removes the person's factors. An operator's factors stay. */
export function mailboxRemovesFactors({ role }: Pick<Person, 'role'>): boolean {
  return role !== 'operator';
}

/** False if the session must first prove a factor, or belongs to an operator who must sign in by a link. */
export function mayAddFactor(reach: SessionReach): boolean {
  return reach === 'full' || reach === 'enrol-factor';
}
