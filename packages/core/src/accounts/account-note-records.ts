import type { AuditedBy } from '../platform/actor.js';
import type { AccountId, AccountNoteId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

export interface AccountNote {
  readonly id: AccountNoteId;
  readonly accountId: AccountId;
  /** Can have line breaks. */
  readonly text: string;
  /** Id of the actor. */
  readonly author: string;
  readonly writtenAt: Instant;
  /** `null` if it is as it was written. */
  readonly changedAt: Instant | null;
}

export interface NoteOfAuthor {
  readonly accountId: AccountId;
  readonly noteId: AccountNoteId;
  /** `null` for any. */
  readonly author: string | null;
}

export type AddNoteOutcome = { readonly outcome: 'added'; readonly note: AccountNote } | { readonly outcome: 'no-such-account' | 'too-many' };

/** `not-own`: another author wrote it. */
export type RemoveNoteOutcome = 'removed' | 'no-such-note' | 'not-own';
export type ChangeNoteOutcome = { readonly outcome: 'changed'; readonly note: AccountNote } | { readonly outcome: Exclude<RemoveNoteOutcome, 'removed'> };

/** Audits every write in the same transaction, without the text and under no account, whose owner could read the entry. Erased with the account. */
export interface AccountNoteRecords {
  /** Newest first. */
  list(accountId: AccountId): Promise<readonly AccountNote[]>;
  /** Under concurrency too, an account has at most `most`. A deleted account gets none. */
  add(note: AccountNote, most: number, by: AuditedBy): Promise<AddNoteOutcome>;
  change(note: NoteOfAuthor, text: string, by: AuditedBy): Promise<ChangeNoteOutcome>;
  remove(note: NoteOfAuthor, by: AuditedBy): Promise<RemoveNoteOutcome>;
}
