export const consent = {
  title: 'Before you continue',
  lead: 'Please read what applies here.',
  changedLead: 'This has changed since you agreed to it. Please read it again.',
  before: { terms: 'I agree to the', privacy: 'I have read the' },
  names: { terms: 'terms of service', privacy: 'privacy notice' },
  version: (version: string) => `Version ${version}`,
  required: 'Needed to continue.',
  submit: 'Continue',
  signOut: 'Sign out',
} as const;
