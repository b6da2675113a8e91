import type { TrialFailure } from '@tollgate/adapters-upstream';

/** What an operator looks at first; reasons that need no more than their message have none. */
const ADVICE: Partial<Record<TrialFailure['reason'], string>> = {
  'connect-failed': 'Check that the server runs, and its address.',
  'timed-out': 'The server is reachable but does not answer in time: check its load, and the timeouts of the settings.',
  'bad-credentials': 'Check its key.',
  'payment-required': 'Its account with the provider has no credit.',
  'model-unknown': 'Check the path of its address, and the name of the model there.',
  'redirected': 'Redirects are not followed: give the address that it redirects to.',
  'malformed-reply': 'Check the path of its address and its kind.',
};

/** `the upstream answered with status 401: bad key. Check its key.` */
export function failureText({ reason, message }: TrialFailure): string {
  const advice = ADVICE[reason];
  return advice === undefined ? message : `${message}. ${advice}`;
}
