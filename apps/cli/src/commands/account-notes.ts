import { type AccountNote, type AccountNoteId, MAX_NOTES_PER_ACCOUNT, rfc3339 } from '@tollgate/core';
import type { Command } from 'commander';
import { CommandFailure, asMisuse } from '../program/command-failure.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { ACCOUNT_ARGUMENT, findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type Report, tableOr, time } from '../program/report.js';

export function addNoteCommands(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('notes').description('the notes of operators about an account, newest first; its owner never sees them').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => listNotes(session, account)));
  accounts.command('add-note').description('add a note about an account').argument(...ACCOUNT_ARGUMENT).argument('<text>', 'what it says')
    .action((...[account, text, , command]: [string, string, unknown, Command]) => runtime.perform(command, (session) => addNote(session, account, text)));
  accounts.command('remove-note').description('remove a note of any author').argument(...ACCOUNT_ARGUMENT).argument('<note>', 'its id (note_…)')
    .action((...[account, note, , command]: [string, string, unknown, Command]) => runtime.perform(command, (session) => removeNote(session, account, note)));
}

function encode({ id, text, author, writtenAt, changedAt }: AccountNote) {
  return { id, text, author, written_at: rfc3339(writtenAt), changed_at: changedAt === null ? null : rfc3339(changedAt) };
}

async function listNotes(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const notes = await session.notes.list((await findAccount(session, idOrEmail)).id);
  const rows = notes.map(({ id, text, author, writtenAt }) => [id, time(writtenAt), author, text.replaceAll(/\s+/g, ' ')]);
  return { json: { notes: notes.map(encode) }, lines: tableOr('There are no notes about this account.', ['NOTE', 'WRITTEN', 'BY', 'TEXT'], rows) };
}

async function addNote(session: OperatorSession, idOrEmail: string, text: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await asMisuse(session.notes.add({ accountId: id, text, actor: session.actor }));
  switch (outcome.outcome) {
    case 'added': return { json: { note: encode(outcome.note) }, lines: [`Note ${outcome.note.id} is added.`] };
    case 'no-such-account': throw new CommandFailure(`account ${id} is deleted`);
    case 'too-many': throw new CommandFailure(`an account has at most ${MAX_NOTES_PER_ACCOUNT} notes; remove one first`);
  }
}

async function removeNote(session: OperatorSession, idOrEmail: string, noteId: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const outcome = await session.notes.removeAny({ accountId: id, noteId: noteId as AccountNoteId, actor: session.actor });
  if (outcome !== 'removed') throw new CommandFailure(`there is no note ${noteId}`);
  return { json: { id: noteId, outcome }, lines: [`Note ${noteId} is removed.`] };
}
