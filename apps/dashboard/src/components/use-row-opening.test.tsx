import { installDocument, renderPage } from '../test-support/render-page';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { LongList } from './long-list';
import { LongTable, longColumns } from './long-table';

installDocument();

const ROWS = ['first', 'second'].map((id) => ({ id }));
type Row = (typeof ROWS)[number];

const LIST: LongList<Row> = {
  queryKey: 'rows', data: { pages: [{ data: ROWS, has_more: false, interrupted: false }], pageParams: [''] },
  error: null, isError: false, isFetching: false, isPlaceholderData: false, hasNextPage: false, hasPreviousPage: false, isFetchNextPageError: false, isFetchPreviousPageError: false, isFetchingNextPage: false, searching: null,
  refetch: () => Promise.resolve(), fetchNextPage: () => Promise.resolve(), fetchPreviousPage: () => Promise.resolve(), restart: () => Promise.resolve(), stop: () => undefined,
};
const helper = longColumns<Row>();
const COLUMNS = helper.columns([helper.display({ id: 'id', header: 'Id', meta: { track: '120px' }, cell: ({ row }) => <a href={`/${row.original.id}`} data-row-link>{row.original.id}</a> })]);
const idOf = ({ id }: Row) => id;

// The document has no layout, and an area without a height shows no rows.
beforeEach(() => { Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 400 }); });
afterEach(() => { Reflect.deleteProperty(HTMLElement.prototype, 'clientHeight'); });

let asked: string[] = [];

/** Opens and closes the row only when the test presses a button, as a page does only when its URL has changed. */
function Page() {
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <button type="button" onClick={() => setOpened('first')}>Show</button><button type="button" onClick={() => setOpened(undefined)}>Hide</button>
      <LongTable name="rows" label="Rows" list={LIST} columns={COLUMNS} idOf={idOf} card={idOf} cardHeight={40} opened={opened} onOpen={({ id }) => asked.push(`open ${id}`)} detail={{ of: idOf, label: 'Detail', onClose: () => asked.push('close') }} empty="None" />
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });

async function openFirst(): Promise<void> {
  asked = [];
  await renderPage(<Page />);
  const link = screen.getByRole('link', { name: 'first' });
  act(() => link.focus());
  fireEvent.click(link);
}

it('Escape closes the open row and returns the focus to it', async () => {
  await openFirst();
  press('Show');
  screen.getByRole('region', { name: 'Detail' });
  act(() => screen.getByRole('region', { name: 'Rows' }).focus());
  escape();
  expect([asked, document.activeElement?.textContent]).toEqual([['open first', 'close'], 'first']);
});

it('Escape closes a row even before the page shows it as open', async () => {
  await openFirst();
  escape();
  expect([asked, document.activeElement?.textContent]).toEqual([['open first', 'close'], 'first']);
});

it('a second Escape does not close the row again', async () => {
  await openFirst();
  escape();
  escape();
  expect([asked, document.activeElement]).toEqual([['open first', 'close'], screen.getByRole('region', { name: 'Rows' })]);
});

it('Escape does nothing after the page has closed the row', async () => {
  await openFirst();
  press('Show');
  press('Hide');
  escape();
  expect(asked).toEqual(['open first']);
});
