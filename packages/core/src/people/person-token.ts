/** What a single-use token is good for. A person has at most one live token for each. */
export type TokenPurpose = 'verify-email' | 'change-email' | 'reset-password' | 'invitation' | 'sign-in';
