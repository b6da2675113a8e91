import { renderPage, installDocument } from '../test-support/render-page';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { useEarlyLetters } from './use-early-letters';

installDocument();

let shortcuts: string[] = [];
const note = ({ key }: KeyboardEvent) => { shortcuts.push(key); };
beforeEach(() => {
  shortcuts = [];
  document.addEventListener('keydown', note);
});
afterEach(() => document.removeEventListener('keydown', note));

function Search() {
  const [wish, setWish] = useState(0);
  const [query, setQuery] = useState('');
  useEarlyLetters(wish, setQuery);
  return <><button type="button" onClick={() => setWish(1)}>Search</button><input aria-label="Field" value={query} onChange={({ currentTarget }) => setQuery(currentTarget.value)} /></>;
}

const press = (text: string) => Array.from(text).forEach((key) => fireEvent.keyDown(document.body, { key }));
const typed = () => screen.getByLabelText<HTMLInputElement>('Field').value;

it('letters go into the query of an opened search even if they are typed before its field has the focus', async () => {
  await renderPage(<Search />);
  fireEvent.click(screen.getByRole('button'));
  press('Rocket');
  expect([typed(), shortcuts]).toEqual(['Rocket', []]);
});

it('letters typed before the search is opened, or with the focus in its field, are left to the page', async () => {
  await renderPage(<Search />);
  press('c');
  fireEvent.click(screen.getByRole('button'));
  fireEvent.focusIn(screen.getByLabelText('Field'));
  press('k');
  expect([typed(), shortcuts]).toEqual(['', ['c', 'k']]);
});

it('letters that are pressed with Ctrl are left to the page', async () => {
  await renderPage(<Search />);
  fireEvent.click(screen.getByRole('button'));
  fireEvent.keyDown(document.body, { key: 'r', ctrlKey: true });
  expect([typed(), shortcuts]).toEqual(['', ['r']]);
});
