import { renderPage, installDocument } from '../../test-support/render-page';
import { screen } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { TextLink } from '../link';
import { ChartLegend, type RenderSeries } from './chart-legend';
import { spendTable } from './spend-series';

installDocument();

const LONG = 'A model whose name is as long as a name may be';
const NAMES: Readonly<Record<string, string>> = { long: LONG, short: 'Aster' };
const table = spendTable(['2026-11-22'], ['long', 'short', null].map((series) => ({ column: '2026-11-22', series, amount: '1', tokens: '1000' })));
const nameOf = (id: string | null) => NAMES[id ?? ''] ?? 'No model';

function legend(renderSeries?: RenderSeries) {
  return <ChartLegend title="Cost" measure="cost" table={table} seriesName={({ ids }) => nameOf(ids[0] ?? null)} nameOf={nameOf} renderOthers={undefined} renderSeries={renderSeries} />;
}

it('a legend shows the whole of a long name on focus', async () => {
  await renderPage(legend());
  const name = screen.getByRole('button', { name: LONG });
  name.focus();
  expect([document.activeElement === name, name.title, name.className.includes('cut')]).toEqual([true, LONG, true]);
  expect(screen.queryByRole('button', { name: 'Aster' })).toBeNull();
});

it('a legend links each name to the requests of its series; the series without a name has no link', async () => {
  await renderPage(legend((model, link) => <TextLink to="/usage" search={{ model }} {...link} />));
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href'), link.className.includes('cut')]);
  expect(links).toEqual([[LONG, '/dashboard/usage?model=long', true], ['Aster', '/dashboard/usage?model=short', false]]);
});
