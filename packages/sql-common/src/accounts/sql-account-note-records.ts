import type { AccountId, AccountNote, AccountNoteId, AccountNoteRecords, AddNoteOutcome, AuditedAction, AuditedBy, ChangeNoteOutcome, NoteOfAuthor, RemoveNoteOutcome } from '@tollgate/core';
import type { Selectable } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { ACCOUNT_NOTE_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { AccountNoteTable } from '../schema/note-tables.js';
import { storableText } from '../schema/storable-text.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';

function noteFromRow(row: Selectable<AccountNoteTable>): AccountNote {
  return {
    id: row.id as AccountNoteId, accountId: row.account_id as AccountId, text: row.text, author: row.author,
    writtenAt: instantFromColumn(row.written_at), changedAt: instantOrNull(row.changed_at),
  };
}

/** Writing scripts run one after another, so no note can change between their reads and their writes. */
export class SqlAccountNoteRecords implements AccountNoteRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  list(accountId: AccountId): Promise<readonly AccountNote[]> {
    return this.runner.read(() => this.notesOf(accountId));
  }

  add(note: AccountNote, most: number, by: AuditedBy): Promise<AddNoteOutcome> {
    return this.runner.write(() => this.insert(note, most, by));
  }

  change(note: NoteOfAuthor, text: string, by: AuditedBy): Promise<ChangeNoteOutcome> {
    return this.runner.write(() => this.update(note, text, by));
  }

  remove(note: NoteOfAuthor, by: AuditedBy): Promise<RemoveNoteOutcome> {
    return this.runner.write(() => this.delete(note, by));
  }

  private* notesOf(accountId: AccountId): Script<readonly AccountNote[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('account_notes').select(ACCOUNT_NOTE_COLUMNS).where('account_id', '=', accountId)
      .orderBy('written_at', 'desc').orderBy('id', 'desc'));
    return rows.map(noteFromRow);
  }

  private* insert(note: AccountNote, most: number, by: AuditedBy): Script<AddNoteOutcome> {
    const { id, accountId, author, writtenAt } = note;
    const account = yield* firstOf(this.queries.selectFrom('accounts').select('id').where('id', '=', accountId).where('status', '<>', 'deleted'));
    if (account === null) return { outcome: 'no-such-account' };
    if ((yield* this.notesOf(accountId)).length >= most) return { outcome: 'too-many' };
    const text = storableText(note.text);
    yield* changesOf(this.queries.insertInto('account_notes').values({ id, account_id: accountId, text, author, written_at: writtenAt, changed_at: null }));
    yield* this.audit('note.added', note, by);
    return { outcome: 'added', note: { ...note, text } };
  }

  private* update(reference: NoteOfAuthor, text: string, by: AuditedBy): Script<ChangeNoteOutcome> {
    const note = yield* this.ownNote(reference);
    if (typeof note === 'string') return { outcome: note };
    const stored = storableText(text);
    yield* changesOf(this.queries.updateTable('account_notes').set({ text: stored, changed_at: by.at }).where('id', '=', note.id));
    yield* this.audit('note.changed', note, by);
    return { outcome: 'changed', note: { ...note, text: stored, changedAt: by.at } };
  }

  private* delete(reference: NoteOfAuthor, by: AuditedBy): Script<RemoveNoteOutcome> {
    const note = yield* this.ownNote(reference);
    if (typeof note === 'string') return note;
    yield* changesOf(this.queries.deleteFrom('account_notes').where('id', '=', note.id));
    yield* this.audit('note.removed', note, by);
    return 'removed';
  }

  private* ownNote({ accountId, noteId, author }: NoteOfAuthor): Script<AccountNote | 'no-such-note' | 'not-own'> {
    const row = yield* firstOf(this.queries.selectFrom('account_notes').select(ACCOUNT_NOTE_COLUMNS).where('id', '=', noteId).where('account_id', '=', accountId));
    if (row === null) return 'no-such-note';
    return author === null || author === row.author ? noteFromRow(row) : 'not-own';
  }

  /** Entries about notes name no account, because owners can read the audit entries of their account. */
  private* audit(action: AuditedAction, { id, accountId }: AccountNote, by: AuditedBy): Script<void> {
    yield* appendAuditEntry(this.queries, { ...by, action, subject: id, accountId: null, details: { accountId } });
  }
}

export function* eraseNotes(queries: Queries, accountId: AccountId): Script<void> {
  yield* changesOf(queries.deleteFrom('account_notes').where('account_id', '=', accountId));
}
