import { GatewayError, type Instant, RefusedSignIn, secondsUntil } from '@tollgate/core';
import type { RouteDefinition } from '@tollgate/api-contract';
import type { ConfirmTotpOutcome, FactorRefusal, PasswordSignIn, ProveOutcome } from '@tollgate/identity';
import { freshProofRequired } from '../call/admit-visitor.js';
import type { Call } from '../call/dashboard-endpoint.js';
import { SIGN_IN_REASONS } from './encode-sign-in.js';

export interface ProofReply extends Pick<Call<RouteDefinition>, 'setCookie' | 'enter' | 'inBackground'> {
  readonly sendLink: PasswordSignIn['sendLink'];
  readonly at: Instant;
}

export type ReplyTools = Pick<ProofReply, 'setCookie' | 'enter' | 'inBackground'>;

export function replyTo({ setCookie, enter, inBackground }: ReplyTools, { passwordSignIn, at }: { readonly passwordSignIn: PasswordSignIn; readonly at: Instant }): ProofReply {
  return { setCookie, enter, inBackground, sendLink: (person, start) => passwordSignIn.sendLink(person, start), at };
}

type Refused = Exclude<ProveOutcome | ConfirmTotpOutcome, { readonly outcome: 'proven' | 'enrolled' | 'ended' | 'unconfirmed' | 'locked' }>['outcome'];

export const FACTOR_REFUSALS: Readonly<Record<Refused | FactorRefusal | 'already-enrolled' | 'not-enrolled', () => GatewayError>> = {
  'refused': () => new GatewayError('sign_in_failed', 'The password or code is incorrect or was already used.', { cause: new RefusedSignIn(SIGN_IN_REASONS.refused) }),
  'not-signed-in': () => new GatewayError('not_signed_in', 'Sign in to use the dashboard.'),
  'second-factor-required': () => new GatewayError('second_factor_required', 'Confirm your second factor first.'),
  'fresh-proof-required': freshProofRequired,
  'unavailable': () => new GatewayError('service_unavailable', 'This gateway cannot check second factors: it has no secret, or not the one with which they were set up.'),
  'nothing-begun': () => new GatewayError('conflict', 'No setup of an authenticator app is in progress. Start again.'),
  'already-enrolled': () => new GatewayError('conflict', 'An authenticator app is already set up. Remove it before you set up another one.'),
  'not-enrolled': () => new GatewayError('conflict', 'No authenticator app is set up.'),
};

/** Throws the refusal unless the outcome is `proven` or `enrolled`. */
export async function provenBy<Outcome extends ProveOutcome | ConfirmTotpOutcome>(
  outcome: Outcome, { setCookie, enter, inBackground, sendLink, at }: ProofReply,
): Promise<Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }>> {
  if (outcome.outcome === 'locked') {
    throw new GatewayError('too_many_attempts', 'Too many wrong passwords or codes. Try again later.', { retryAfterSeconds: secondsUntil(outcome.until, at), cause: new RefusedSignIn('proofs are locked after wrong passwords or codes in a row') });
  }
  if (outcome.outcome === 'ended') {
    setCookie(outcome.setCookie);
    throw new GatewayError('not_signed_in', 'Too many wrong codes. Sign in again.', { cause: new RefusedSignIn('the session was ended after too many wrong codes') });
  }
  if (outcome.outcome === 'unconfirmed') {
    setCookie(outcome.setCookie);
    sendLink(outcome.person, inBackground);
    throw new GatewayError('not_signed_in', 'Too many wrong passwords or codes. Open the link that was mailed to you, or sign in again.', { cause: new RefusedSignIn(SIGN_IN_REASONS.unconfirmed) });
  }
  if (outcome.outcome !== 'proven' && outcome.outcome !== 'enrolled') throw FACTOR_REFUSALS[outcome.outcome]();
  await enter(outcome);
  return outcome as Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }>;
}
