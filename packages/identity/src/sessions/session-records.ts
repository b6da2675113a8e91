import type { AuditedBy, Instant, PasskeyId, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { BrowserStanding } from '../attempts/failures-in-a-row.js';
import type { IssuerSubject } from '../people/issuer-subject.js';
import type { PersonRecord } from '../people/person-records.js';
import type { Session } from './session.js';

/** What was proved at sign-in. */
export type ProvenBy =
  /** Does not hold if `browser` needs a mailed link by then. */
  | { readonly kind: 'password'; readonly hash: string; readonly browser: BrowserStanding }
  | { readonly kind: 'passkey'; readonly id: PasskeyId }
  | { readonly kind: 'issuer'; readonly subject: IssuerSubject }
  /** A single-use link, whose token is gone by now. */
  | { readonly kind: 'link' };

export interface NewSession {
  readonly session: Session;
  readonly tokenHash: TokenHash;
  /** The session does not begin if the person has it no longer, or another in its place. */
  readonly provenBy: ProvenBy;
  /** Sessions that the same browser had before, which end. */
  readonly replaces: readonly TokenHash[];
  /** Whose failures in a row end here; `null`: no one's. */
  readonly forgets: BrowserStanding | null;
}

/** A session with its person, read in one look. */
export interface SessionRecord {
  readonly session: Session;
  readonly record: PersonRecord;
}

/** Which of a person's sessions. */
export type SessionChoice = SessionId | 'all' | { readonly allBut: SessionId };

/** Sessions as a store keeps them. Throws when the store is away: an unreadable session is never a missing one. */
export interface SessionRecords {
  /** `false` when what was proved no longer holds or the person is gone. Ends the person's oldest sessions beyond the maximum. */
  begin(session: NewSession): Promise<boolean>;
  find(tokenHash: TokenHash): Promise<SessionRecord | null>;
  noteUse(id: SessionId, at: Instant, address: string): Promise<void>;
  /** Most recently used first, those past their life included. */
  list(personId: PersonId): Promise<readonly Session[]>;
  /** How many ended; in force once it resolves. Audited where another than the person ends them, if any ended. */
  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number>;
}
