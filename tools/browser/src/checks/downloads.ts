import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { passDays, type Resident } from '../world/open-world.js';
import type { Check } from './check.js';
import { type CheckContext, shown } from './check-context.js';
import { exactAmounts } from './exact-amounts.js';

const DAYS = 3;
const PLACES = 6;

interface Export {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly fileName: string;
}

/** Micro-units of an amount. */
function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

/** Downloads what the page shows, as NDJSON by the dialog. */
async function download(page: Page): Promise<Export> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export requests' });
  await dialog.getByText('NDJSON').click();
  const begun = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  const file = await begun;
  const text = readFileSync(await file.path(), 'utf8');
  return { fileName: file.suggestedFilename(), rows: text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, string>) };
}

async function listed({ world }: CheckContext, { secret }: Resident): Promise<readonly { readonly request_id: string; readonly svc_tokens_debited: string }[]> {
  const { data } = await (await fetch(`${world.gateway.url}/v1/usage?limit=100`, { headers: { authorization: `Bearer ${secret}` } })).json() as { readonly data: readonly { readonly request_id: string; readonly svc_tokens_debited: string }[] };
  return data;
}

async function run(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  await passDays(context.world, owner, { days: DAYS });
  const { page } = await context.signedIn(owner);
  await page.goto('/dashboard/usage');
  const totals = page.getByRole('region', { name: 'Totals' });
  await shown(totals);
  const [total = ''] = await exactAmounts(totals);
  const { rows, fileName } = await download(page);
  assert.match(fileName, /\d{4}-\d{2}-\d{2}.*\.ndjson$/);
  const records = await listed(context, owner);
  assert.deepEqual(rows.length, records.length);
  assert.deepEqual(new Set(rows.map(({ request_id: id }) => id)), new Set(records.map(({ request_id: id }) => id)));
  const sum = rows.reduce((all, { svc_tokens_debited: amount = '0' }) => all + units(amount), 0n);
  assert.equal(sum, units(total), 'the charges of the file add up to the total of the page');
}

export const downloads: Check = { number: 15, title: 'An export has the requests of the list, and its charges add up to the total of the page', run };
