/** Who may become a customer: anyone, whom an operator invites, or nobody. Holds on every way in. */
export type SignUpPolicy = 'open' | 'invitation' | 'closed';

/** How a person comes to be: by signing up, or by an operator's invitation. */
export type Registration = 'sign-up' | 'invitation';

export function permitsRegistration(policy: SignUpPolicy, registration: Registration): boolean {
  if (policy === 'closed') return false;
  return policy === 'open' || registration === 'invitation';
}
