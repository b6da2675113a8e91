import type { AuditedBy, Instant, MachineId, PasskeyId, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { BrowserStanding } from '../attempts/failures-in-a-row.js';
import type { IssuerSubject } from '../people/issuer-subject.js';
import type { PersonRecord } from '../people/person-records.js';
import type { Session } from './session.js';

export type ProvenBy =
  /** A password; not sufficient if `browser` needs a mailed link when the session begins. */
  | { readonly kind: 'password'; readonly hash: string; readonly browser: BrowserStanding }
  | { readonly kind: 'passkey'; readonly id: PasskeyId }
  | { readonly kind: 'issuer'; readonly subject: IssuerSubject }
  /** A single-use link, already consumed. */
  | { readonly kind: 'link' }
  /** A single-use link of this machine, already consumed. Not sufficient for an operator, nor once the machine is revoked. */
  | { readonly kind: 'machine'; readonly id: MachineId };

export interface NewSession {
  readonly session: Session;
  readonly tokenHash: TokenHash;
  /** The proof; if it no longer holds, no session begins. */
  readonly provenBy: ProvenBy;
  /** Earlier sessions of the browser, which end. */
  readonly replaces: readonly TokenHash[];
  /** Kind of browser whose consecutive failures are reset; `null` resets none. */
  readonly forgets: BrowserStanding | null;
}

/** A session and its person, in one read. */
export interface SessionRecord {
  readonly session: Session;
  readonly record: PersonRecord;
}

export type SessionChoice = SessionId | 'all' | { readonly allBut: SessionId };

/** Stored sessions. Throws if the store is unavailable: an unreadable session never counts as missing. */
export interface SessionRecords {
  /** False if the proof no longer holds or the person no longer exists. Ends the least recently used sessions above the maximum. */
  begin(session: NewSession): Promise<boolean>;
  find(tokenHash: TokenHash): Promise<SessionRecord | null>;
  noteUse(id: SessionId, at: Instant, address: string): Promise<void>;
  /** Most recently used first; includes expired ones. */
  list(personId: PersonId): Promise<readonly Session[]>;
  /** Returns the number of ended sessions; in force once the promise resolves. Audited if `by` is present and any ended. */
  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number>;
}
