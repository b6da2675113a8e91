import type { AuditedBy } from '../platform/actor.js';
import type { AccountId, AccountNoteId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

export interface AccountNote {
  readonly id: AccountNoteId;
  readonly accountId: AccountId;
  /** May contain line breaks. */
  readonly text: string;
  /** Id of the actor. */
  readonly author: string;
  readonly writtenAt: Instant;
  /** `null` if the note was never changed. */
  readonly changedAt: Instant | null;
}

export interface NoteOfAuthor {
  readonly accountId: AccountId;
  readonly noteId: AccountNoteId;
  /** `null` if the note may have any author. */
  readonly author: string | null;
}

export type AddNoteOutcome = { readonly outcome: 'added'; readonly note: AccountNote } | { readonly outcome: 'no-such-account' | 'too-many' };

/** `not-own`: another author wrote the note. */
export type RemoveNoteOutcome = 'removed' | 'no-such-note' | 'not-own';
export type ChangeNoteOutcome = { readonly outcome: 'changed'; readonly note: AccountNote } | { readonly outcome: Exclude<RemoveNoteOutcome, 'removed'> };

/**
 * Audits every write in the same transaction. The audit entry has no text, and names the account only in its details: the account's owner can read
 * entries that belong to the account. Notes are erased with their account.
 */
export interface AccountNoteRecords {
  /** Newest first. */
  list(accountId: AccountId): Promise<readonly AccountNote[]>;
  /** Adds nothing to a deleted account, nor to one that has `most` notes, even under concurrency. */
  add(note: AccountNote, most: number, by: AuditedBy): Promise<AddNoteOutcome>;
  change(note: NoteOfAuthor, text: string, by: AuditedBy): Promise<ChangeNoteOutcome>;
  remove(note: NoteOfAuthor, by: AuditedBy): Promise<RemoveNoteOutcome>;
}
