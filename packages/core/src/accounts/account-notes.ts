import type { Actor } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import type { AccountId, AccountNoteId } from '../primitives/ids.js';
import type { AccountNote, AccountNoteRecords, AddNoteOutcome, ChangeNoteOutcome, RemoveNoteOutcome } from './account-note-records.js';
import { requireNoteText } from './note-text.js';

/** Few enough to list without pages. */
export const MAX_NOTES_PER_ACCOUNT = 50;

export interface AccountNotesPorts {
  readonly records: AccountNoteRecords;
  readonly ids: Pick<IdGenerator, 'accountNoteId'>;
  readonly clock: Clock;
}

export interface AddNoteCommand {
  readonly accountId: AccountId;
  readonly text: string;
  readonly actor: Actor;
}

export interface NoteReference {
  readonly accountId: AccountId;
  readonly noteId: AccountNoteId;
  readonly actor: Actor;
}

/** Operators' notes about accounts. All operators see them, owners never. Operators change and remove only their own notes. */
export class AccountNotes {
  constructor(private readonly ports: AccountNotesPorts) {}

  /** Newest first. */
  list(accountId: AccountId): Promise<readonly AccountNote[]> {
    return this.ports.records.list(accountId);
  }

  /** Throws `invalid_request` that names `text` if the text is invalid. */
  async add({ accountId, text, actor }: AddNoteCommand): Promise<AddNoteOutcome> {
    const { records, ids, clock } = this.ports;
    const at = clock.now();
    const note = { id: ids.accountNoteId(), accountId, text: requireNoteText(text), author: actor.id, writtenAt: at, changedAt: null };
    return records.add(note, MAX_NOTES_PER_ACCOUNT, { actor, at });
  }

  /** Throws `invalid_request` that names `text` if the text is invalid. */
  async change({ accountId, noteId, actor }: NoteReference, text: string): Promise<ChangeNoteOutcome> {
    return this.ports.records.change({ accountId, noteId, author: actor.id }, requireNoteText(text), { actor, at: this.ports.clock.now() });
  }

  remove({ accountId, noteId, actor }: NoteReference): Promise<RemoveNoteOutcome> {
    return this.ports.records.remove({ accountId, noteId, author: actor.id }, { actor, at: this.ports.clock.now() });
  }

  /** For the command line: removes the note of any author, even of one who is no longer an operator. */
  removeAny({ accountId, noteId, actor }: NoteReference): Promise<RemoveNoteOutcome> {
    return this.ports.records.remove({ accountId, noteId, author: null }, { actor, at: this.ports.clock.now() });
  }
}
