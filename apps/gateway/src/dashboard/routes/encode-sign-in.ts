import { GatewayError, RefusedSignIn } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import type { SignedIn, SignInOutcome } from '@tollgate/identity';
import type { Enter } from '../call/dashboard-endpoint.js';

/** Reasons of failed sign-ins, for the log. */
export const SIGN_IN_REASONS: Readonly<Record<Exclude<SignInOutcome['outcome'], 'signed-in'>, string>> = {
  'refused': 'the proof is wrong or was used before, the address is unknown, or the account may not sign in',
  'not-verified': 'the password is right, and the address is not verified yet',
  'unconfirmed': 'the password is right, and after many failures the browser needs the mailed link',
};

/** The same text for every reason, so that it reveals nothing about the person. */
function signInFailed(outcome: keyof typeof SIGN_IN_REASONS): GatewayError {
  return new GatewayError('sign_in_failed', 'The e-mail address or password is incorrect.', { cause: new RefusedSignIn(SIGN_IN_REASONS[outcome]) });
}

/** Sets the session's cookies. Throws `sign_in_failed` if no session has begun. */
export async function encodeSignIn(outcome: SignInOutcome, enter: Enter): Promise<ReplyOf<typeof contract.signIn>> {
  if (outcome.outcome !== 'signed-in') throw signInFailed(outcome.outcome);
  await enter(outcome);
  const { reach, person }: SignedIn = outcome.signedIn;
  return { object: 'sign_in', reach, factors: person.factors };
}
