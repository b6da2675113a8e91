import type { AuditedBy, Instant, PersonId, TokenHash } from '@tollgate/core';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { Person } from '../people/person.js';
import type { SessionReach } from './session-reach.js';
import type { SessionChoice } from './session-records.js';
import type { Session } from './session.js';

export type SignInProof =
  | {
    readonly kind: 'password';
    readonly email: string;
    readonly password: string;
    /** Called after the password was hashed; later work depends on the person. */
    readonly onHashed?: () => void;
  }
  | { readonly kind: 'link'; readonly token: string };

/** In an existing session: a factor, which raises its assurance, or the password again. */
export type FreshProof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'totp' | 'recovery'; readonly code: string };

export interface SignedIn {
  readonly session: Session;
  readonly person: Person;
  /** Of the browser's token. */
  readonly tokenHash: TokenHash;
  /** Anything but `full` restricts the session to what it names. */
  readonly reach: SessionReach;
}

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

/** Throws if the store is unavailable: an unreadable session never counts as missing, nor an unfinished sign-out as finished. */
export interface Sessions {
  /** `null` if the browser has no session, it has expired, or the person may no longer sign in. */
  current(request: BrowserRequest, at: Instant): Promise<SignedIn | null>;
  /** As `current`, but does not extend the session. */
  peek(request: BrowserRequest, at: Instant): Promise<SignedIn | null>;
  /** Replaces the browser's session. */
  signIn(request: BrowserRequest, proof: SignInProof, at: Instant): Promise<SignInOutcome>;
  /** Proves a factor or the password again in the browser's session. A factor raises its assurance. */
  prove(request: BrowserRequest, proof: FreshProof, at: Instant): Promise<ProveOutcome>;
  /** Valid ones, most recently used first. */
  list(person: Person, at: Instant): Promise<readonly Session[]>;
  /** Returns how many ended; effective on every gateway once it resolves. `by`: someone else who ends them, which is audited. */
  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number>;
  /** A `Set-Cookie` value that deletes the session cookie. */
  forgetCookie(): string;
}
