import type { Instant } from '@tollgate/core';
import type { Person } from '../people/person.js';
import type { SignedIn } from './signed-in.js';

/** In an existing session: a factor, which raises its assurance, or the password again. */
export type FreshProof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'totp' | 'recovery'; readonly code: string };

export type SignInOutcome =
  | { readonly outcome: 'signed-in'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** The right password, from a browser that also needs a mailed link. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person }
  /** `not-verified` is returned only for the right password. */
  | { readonly outcome: 'refused' | 'not-verified' };

export type ProveOutcome =
  /** The session has a new token. */
  | { readonly outcome: 'proven'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** Wrong or already used. */
  | { readonly outcome: 'refused' }
  /** Too many wrong proofs: the session has ended. */
  | { readonly outcome: 'ended'; readonly setCookie: string }
  /** Too many consecutive failures: the session has ended, and the next one needs a mailed link. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person; readonly setCookie: string }
  /** Proofs are locked; until then, right ones are refused too. */
  | { readonly outcome: 'locked'; readonly until: Instant }
  /** This gateway has no secret, or not the one that the factor was encrypted under. */
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'not-signed-in' };
