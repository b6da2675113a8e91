import { PAGE_SIZES } from '@tollgate/core';
import { strict as assert } from 'node:assert';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { services } from '@tollgate/gateway';
import type { Download, Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { addRecords } from '../world/fixtures.js';
import type { World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { exactAmounts } from './amount-places.js';

const SETTINGS = { UNBILLED_PER_MINUTE_ACCOUNT: '0' };
const RECORDS = 100_000;
/** Decimal places in which the costs in US dollars are summed up. */
const PLACES = 18;
/** Number of steps, of 1,000 records each, after which a download is cancelled: a third of the records. */
const STEPS_BEFORE_CANCELLING = 33;

type Format = 'CSV' | 'NDJSON';

interface Row {
  readonly request_id: string;
  readonly svc_cost_usd: string;
}

interface Contents {
  readonly ids: readonly string[];
  readonly charged: bigint;
}

function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function contentsOf(rows: readonly Row[]): Contents {
  return { ids: rows.map(({ request_id: id }) => id), charged: rows.reduce((all, { svc_cost_usd: amount }) => all + units(amount), 0n) };
}

async function beginDownload(page: Page, format: Format): Promise<Download> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export requests' });
  await shown(dialog.getByText(RECORDS.toLocaleString('en')));
  await dialog.getByText(format).click();
  const begun = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  await gone(dialog);
  return begun;
}

/** Cells of a line of CSV, with or without quotes. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

async function rowsOf(file: Download, format: Format): Promise<readonly Row[]> {
  const lines: string[] = [];
  for await (const line of createInterface(createReadStream(await file.path()))) lines.push(line);
  if (format === 'NDJSON') return lines.map((line) => JSON.parse(line) as Row);
  const [head = '', ...body] = lines;
  const columns = cellsOf(head.replace(/^\uFEFF/, ''));
  const [id, cost] = [columns.indexOf('request_id'), columns.indexOf('svc_cost_usd')];
  return body.map(cellsOf).map((cells) => ({ request_id: cells[id] ?? '', svc_cost_usd: cells[cost] ?? '' }));
}

async function listed(page: Page): Promise<Contents> {
  const rows = await page.evaluate(async (limit) => {
    const all: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const response = await fetch(`/dashboard/api/usage?limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      const { data, has_more: hasMore, next_cursor: next } = await response.json() as { readonly data: readonly Row[]; readonly has_more: boolean; readonly next_cursor: string | null };
      all.push(...data.map(({ request_id, svc_cost_usd }) => ({ request_id, svc_cost_usd })));
      cursor = hasMore ? next : null;
    }
    return all;
  }, PAGE_SIZES.usage.dashboard.most);
  return contentsOf(rows);
}

/** Counts how often the gateway reads a batch of records. */
function watchReads({ gateway }: World): { readonly steps: () => number } {
  const usage = gateway.container.get(services.usage);
  const list = usage.list.bind(usage);
  let steps = 0;
  usage.list = (query) => {
    steps += 1;
    return list(query);
  };
  return { steps: () => steps };
}

/** True unless a running export prevents another one. */
function mayExport(page: Page): Promise<boolean> {
  return page.evaluate(async () => (await fetch('/dashboard/api/usage/export?format=csv', { method: 'HEAD' })).ok);
}

async function equalsList(page: Page): Promise<void> {
  const totals = page.getByRole('region', { name: 'Totals' });
  await shown(totals);
  const [total = ''] = await exactAmounts(totals);
  const list = await listed(page);
  assert.equal(list.ids.length, RECORDS);
  assert.equal(new Set(list.ids).size, RECORDS);
  assert.equal(list.charged, units(total), 'the charges of the list add up to the total of the page');
  for (const format of ['NDJSON', 'CSV'] as const) {
    const file = await beginDownload(page, format);
    assert.match(file.suggestedFilename(), new RegExp(String.raw`\d{4}-\d{2}-\d{2}.*\.${format.toLowerCase()}$`));
    const { ids, charged } = contentsOf(await rowsOf(file, format));
    assert.equal(ids.length, RECORDS, `rows of the ${format} file`);
    assert.ok(ids.every((id, index) => id === list.ids[index]), `the ${format} file has the requests of the list, in its order`);
    assert.equal(charged, units(total), `the charges of the ${format} file add up to the total of the page`);
  }
}

/** Checks that the gateway stops reading records after a download is cancelled, and that the page stays usable. */
async function isCancelled(page: Page, world: World): Promise<void> {
  const reads = watchReads(world);
  const file = await beginDownload(page, 'NDJSON');
  await until('a third of the export', () => reads.steps() >= STEPS_BEFORE_CANCELLING);
  assert.equal(await mayExport(page), false, 'an export that runs stands in the way of another one');
  await file.cancel();
  assert.equal(await file.failure(), 'canceled');
  await until('the export to end', () => mayExport(page));
  const steps = reads.steps();
  assert.ok(steps < RECORDS / 1_000, `${steps} steps were read for an export that was cancelled after ${STEPS_BEFORE_CANCELLING}`);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await shown(heading(page, 'API keys'));
  assert.equal(reads.steps(), steps, 'records are still read for an export that was cancelled');
}

async function exportsAll(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  await addRecords(context.world, owner, RECORDS);
  const { page } = await context.signedIn(owner);
  await page.goto('/dashboard/usage');
  await equalsList(page);
  await isCancelled(page, context.world);
}

export const downloads: Check = { number: 15, title: 'An export of 100,000 requests, as NDJSON and CSV, equals their list and the total of the page; a cancelled one ends', run: (context) => context.apart(exportsAll, { environment: SETTINGS }) };
