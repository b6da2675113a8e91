import { renderPage, installDocument } from '../../test-support/render-page';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { json, ScriptedApi } from '../../test-support/scripted-api';
import { FilterBar } from './filter-bar';
import { changed, type UsageSearch } from './usage-search';

installDocument();

const MODELS = [{ value: 'aster', label: 'Aster' }, { value: 'birch', label: 'Birch' }];
const api = () => new ScriptedApi().on('GET /dashboard/api/key-names/search', () => json({ data: [] }));

/** Keeps the filters in the URL, as the page of requests does. */
function Page() {
  const search: UsageSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return <FilterBar scope="own" search={search} today="2026-11-22" models={MODELS} keyName={(id) => id} onSearch={(change) => void navigate({ to: '.', search: changed(search, change) as never })} />;
}

const model = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' });

it('the filter bar writes a chosen filter into the URL', async () => {
  const { search } = await renderPage(<Page />, { path: '/usage', api: api() });
  fireEvent.click(model());
  fireEvent.click(await screen.findByRole('option', { name: 'Birch' }));
  await waitFor(() => expect(search()).toBe('?model=birch'));
  expect(model().value).toBe('Birch');
});

it('the filter bar shows the filters of the URL, and adds a typed filter on Enter', async () => {
  const { search } = await renderPage(<Page />, { path: '/usage?model=aster&start=2026-11-20', api: api() });
  expect(model().value).toBe('Aster');
  const user = screen.getByRole('textbox', { name: 'User' });
  fireEvent.change(user, { target: { value: ' ada ' } });
  expect(search()).not.toContain('user');
  fireEvent.keyDown(user, { key: 'Enter' });
  await waitFor(() => expect(search()).toBe('?model=aster&start=2026-11-20&user=ada'));
});

it('the filter bar keeps an invalid amount out of the URL, and marks the field', async () => {
  const { search } = await renderPage(<Page />, { path: '/usage', api: api() });
  const amount = screen.getByRole('textbox', { name: 'Minimum charge' });
  fireEvent.change(amount, { target: { value: '-1' } });
  fireEvent.blur(amount);
  expect([search(), amount.getAttribute('aria-invalid')]).toEqual(['', 'true']);
});

it('the filter bar can remove all filters, and keeps the period', async () => {
  const { search } = await renderPage(<Page />, { path: '/usage?start=2026-11-20&model=aster&user=ada&record=req_1', api: api() });
  fireEvent.click(screen.getByRole('button', { name: 'Remove filters' }));
  await waitFor(() => expect(search()).toBe('?start=2026-11-20'));
  expect(model().value).toBe('');
});
