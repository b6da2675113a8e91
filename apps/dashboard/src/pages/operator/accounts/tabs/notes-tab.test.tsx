import { renderPage, installDocument } from '../../../../test-support/render-page';
import { expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { json, ScriptedApi } from '../../../../test-support/scripted-api';
import type { AccountDetail } from '../acts/account-data';
import { NotesTab } from './notes-tab';

installDocument();

const ROUTE = '/dashboard/api/operator/accounts/acct_1/notes';
const LONG = `${'Pays late. '.repeat(10)}Ask first.`;

function noteOf(id: string, text: string) {
  return { id, object: 'account_note', author: 'person_1', text, written_at: '2026-11-21T09:30:00.000Z', changed_at: null, is_own: true };
}

function apiWith(...texts: readonly string[]) {
  const notes = texts.map((text, index) => noteOf(`note_${index}`, text));
  return new ScriptedApi().on(`GET ${ROUTE}`, () => json({ object: 'list', data: notes, has_more: false, next_cursor: null })).on(`POST ${ROUTE}`, (body) => {
    const note = noteOf(`note_${notes.length}`, (body as { readonly text: string }).text);
    notes.unshift(note);
    return json(note, 201);
  });
}

const open = (api: ScriptedApi) => renderPage(<NotesTab account={{ id: 'acct_1', status: 'active' } as AccountDetail} />, { api });

it('the buttons of each note have an accessible name with the beginning of its text', async () => {
  await open(apiWith('Calls on Mondays.', LONG));
  await screen.findByText('Calls on Mondays.');
  const names = screen.getAllByRole('button', { name: /note of/ }).map((button) => button.getAttribute('aria-label')?.replace(/of .*?:(?= “)/, 'of T:'));
  const beginning = `${LONG.slice(0, 60)}…`;
  expect(names).toEqual(['Edit the note of T: “Calls on Mondays.”', 'Remove the note of T: “Calls on Mondays.”', `Edit the note of T: “${beginning}”`, `Remove the note of T: “${beginning}”`]);
});

it('a new note is announced when it is in the list', async () => {
  await open(apiWith());
  fireEvent.change(await screen.findByLabelText('New note'), { target: { value: 'Calls on Mondays.' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }));
  expect(await screen.findByText('The note was added.')).toBe(screen.getByRole('status'));
  expect(screen.getByText('Calls on Mondays.')).toBeTruthy();
});
