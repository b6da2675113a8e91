import { GatewayError } from '@tollgate/core';
import type { PersonRecord } from './person-records.js';

/** Who may sign up: everyone, people whom an operator has invited, or no one. It applies to every way to sign in. */
export type SignUpPolicy = 'open' | 'invitation' | 'closed';

/** How a person comes to be: by signing up, or by an operator's invitation. */
export type Registration = 'sign-up' | 'invitation';

/** Whether someone new may register. */
export function permitsRegistration(policy: SignUpPolicy, registration: Registration): boolean {
  if (policy === 'closed') return false;
  return policy === 'open' || registration === 'invitation';
}

/**
 * Whether the policy, as it is now, lets in a person who is known: by whichever link, by a reset and by an issuer alike. Those who have verified their address
 * are in for good. Of the others, those with a password signed up by themselves, and those without were invited.
 */
export function admitsPerson(policy: SignUpPolicy, { person, passwordHash }: Pick<PersonRecord, 'person' | 'passwordHash'>): boolean {
  return person.emailVerified || permitsRegistration(policy, passwordHash === null ? 'invitation' : 'sign-up');
}

/** For everyone whom the policy does not let in. */
export function signUpClosed(): GatewayError {
  return new GatewayError('sign_up_closed', 'This installation takes no sign-ups. Ask the operator for an invitation.');
}
