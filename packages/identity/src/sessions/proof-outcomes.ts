import type { Instant } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { SignedIn } from './signed-in.js';

/** A proof in a session: a second factor, which raises the assurance, or the password again. */
export type FreshProof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'totp' | 'recovery'; readonly code: string };

export type SignInOutcome =
  | { readonly outcome: 'signed-in'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** The password is right, but the browser also needs a mailed link. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person }
  /** `not-verified` is reported only for the right password. */
  | { readonly outcome: 'refused' | 'not-verified' };

export type ProveOutcome =
  /** The session has a new token. */
  | { readonly outcome: 'proven'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** The proof is wrong or was already used. */
  | { readonly outcome: 'refused' }
  /** The session has ended after too many wrong proofs. */
  | { readonly outcome: 'ended'; readonly setCookie: string }
  /** The session has ended after too many consecutive failures; the next sign-in needs a mailed link. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person; readonly setCookie: string }
  /** Time until which right proofs are refused too. */
  | { readonly outcome: 'locked'; readonly until: Instant }
  /** The gateway has no secret, or not the one that encrypted the factor. */
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'not-signed-in' };
