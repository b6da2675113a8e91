import { MAX_NOTE_CHARACTERS } from '@tollgate/core';
import { z } from 'zod';
import { id, instant, listOf } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';
import { accountInPath } from '../shapes/account.js';

const accountNote = z.strictObject({
  id: id.describe('The id of the note.'),
  object: z.literal('account_note').describe('The kind of object.'),
  text: z.string().describe('What it says; can have several lines.'),
  author: z.string().describe('Id of the operator who wrote it, or a name of the command line.'),
  is_own: z.boolean().describe('Whether you wrote it, and can change and remove it.'),
  written_at: instant.describe('When it was written.'),
  changed_at: instant.nullable().describe('When it was changed last; `null` if it is as it was written.'),
});

/** Twice the maximum, because a line break may be sent as two characters; it is stored as one. */
const body = z.strictObject({ text: z.string().max(2 * MAX_NOTE_CHARACTERS).describe(`What it says: 1 to ${MAX_NOTE_CHARACTERS} characters, without space around them.`) });
const params = accountInPath;
const noteParams = params.extend({ note: id.describe('The id of the note.') });

/** Notes of operators about an account, which its owner never sees. */
export const accountNoteRoutes = {
  listNotesOfAccount: defineRoute({
    method: 'get', path: '/operator/accounts/{id}/notes', access: 'operator', summary: 'All notes of operators about an account, newest first. Its owner never sees them.', params, reply: listOf(accountNote),
  }),
  addNoteToAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/notes', access: 'operator', status: 201, summary: 'Adds a note about an account, for operators alone.', params, body, reply: accountNote,
  }),
  changeNoteOfAccount: defineRoute({
    method: 'patch', path: '/operator/accounts/{id}/notes/{note}', access: 'operator', summary: 'Changes the text of an own note.', params: noteParams, body, reply: accountNote,
  }),
  removeNoteOfAccount: defineRoute({
    method: 'delete', path: '/operator/accounts/{id}/notes/{note}', access: 'operator', status: 204, summary: 'Removes an own note.', params: noteParams,
  }),
} as const;
