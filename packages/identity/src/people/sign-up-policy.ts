import { GatewayError } from '@tollgate/core';
import type { PersonRecord } from './person-records.js';

/** Who may become a person by any way of signing in: everyone, invited people, or no one. */
export type SignUpPolicy = 'open' | 'invitation' | 'closed';

export type Registration = 'sign-up' | 'invitation';

export function permitsRegistration(policy: SignUpPolicy, registration: Registration): boolean {
  if (policy === 'closed') return false;
  return policy === 'open' || registration === 'invitation';
}

/**
 * Applies to all links, resets and issuers. Verified people are always admitted. Unverified people with a password signed up themselves; those
 * without were invited.
 */
export function admitsPerson(policy: SignUpPolicy, { person, passwordHash }: Pick<PersonRecord, 'person' | 'passwordHash'>): boolean {
  return person.emailVerified || permitsRegistration(policy, passwordHash === null ? 'invitation' : 'sign-up');
}

export function signUpClosed(): GatewayError {
  return new GatewayError('sign_up_closed', 'Sign-up is closed. Ask the operator for an invitation.');
}
