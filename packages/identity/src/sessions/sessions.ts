import type { AuditedBy, Instant, PersonId, TokenHash } from '@tollgate/core';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { Person } from '../people/person.js';
import type { SessionReach } from './session-reach.js';
import type { SessionChoice } from './session-records.js';
import type { Session } from './session.js';

/** What a person proves themselves with. */
export type SignInProof =
  | {
    readonly kind: 'password';
    readonly email: string;
    readonly password: string;
    /** Called once the password is hashed: what follows depends on the person. */
    readonly onHashed?: () => void;
  }
  | { readonly kind: 'link'; readonly token: string };

/** What a person proves in a session that they have: a factor, to raise it, or the password once more. */
export type FreshProof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'totp' | 'recovery'; readonly code: string };

/** Who uses the browser. */
export interface SignedIn {
  readonly session: Session;
  readonly person: Person;
  /** Of the token that the browser has for the session. */
  readonly tokenHash: TokenHash;
  /** Anything but `full` lets the session do nothing else than what it names. */
  readonly reach: SessionReach;
}

export type SignInOutcome =
  | { readonly outcome: 'signed-in'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** The right password, from a browser that needs a mailed link besides. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person }
  /** `not-verified` only after the right password. */
  | { readonly outcome: 'refused' | 'not-verified' };

export type ProveOutcome =
  /** The session has a new token. */
  | { readonly outcome: 'proven'; readonly signedIn: SignedIn; readonly setCookie: string }
  /** Wrong, or used before. */
  | { readonly outcome: 'refused' }
  /** Wrong once too often: the session has ended. */
  | { readonly outcome: 'ended'; readonly setCookie: string }
  /** Too many failures in a row: the session has ended, and the next needs a mailed link. */
  | { readonly outcome: 'unconfirmed'; readonly person: Person; readonly setCookie: string }
  /** Too many wrong ones; until then a right one is refused as well. */
  | { readonly outcome: 'locked'; readonly until: Instant }
  /** This gateway has no secret, or another one than the factor was encrypted under. */
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'not-signed-in' };

/** Sessions of browsers. Throws when the store is away: an unreadable session is never a missing one, and an unfinished sign-out never a finished one. */
export interface Sessions {
  /** `null` when the browser has no session, the session is past its life, or the person may not sign in any more. */
  current(request: BrowserRequest, at: Instant): Promise<SignedIn | null>;
  /** As `current`, but does not extend the session. */
  peek(request: BrowserRequest, at: Instant): Promise<SignedIn | null>;
  /** Begins a session with a token of its own, and ends the one that the browser had. */
  signIn(request: BrowserRequest, proof: SignInProof, at: Instant): Promise<SignInOutcome>;
  /** Proves a factor, or the password once more, in the session that the browser has. A factor raises it. */
  prove(request: BrowserRequest, proof: FreshProof, at: Instant): Promise<ProveOutcome>;
  /** Those that are alive, most recently used first. */
  list(person: Person, at: Instant): Promise<readonly Session[]>;
  /** How many ended; in force on every gateway once it resolves. `by` where another than the person ends them, which is audited. */
  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number>;
  /** The `Set-Cookie` header for a browser whose session has ended. */
  forgetCookie(): string;
}
