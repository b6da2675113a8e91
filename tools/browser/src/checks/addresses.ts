import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { sendRequest } from '../world/open-world.js';
import { subjectsOf } from '../world/subjects.js';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';

/** The rows of the list of requests, by what they say of their model. */
async function modelsListed(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('table', { name: 'Requests' });
  await shown(list.getByRole('row').nth(1));
  return list.getByRole('row').evaluateAll((rows) => rows.slice(1).map((row) => (/sandbox-(?:small|reasoner)/.exec(row.textContent) ?? [''])[0]));
}

async function expectFiltered(page: Page, address: string): Promise<void> {
  assert.equal(new URL(page.url()).search, new URL(address).search);
  await shown(page.getByRole('button', { name: 'Remove filters' }));
  assert.deepEqual([...new Set(await modelsListed(page))], ['sandbox-reasoner']);
}

async function keepsFilters(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  for (const model of ['sandbox-small', 'sandbox-reasoner', 'sandbox-reasoner']) await sendRequest(context.world, owner, { model, tokens: 20, isMessages: false });
  const { page } = await context.signedIn(owner);
  await page.goto('/dashboard/usage');
  assert.deepEqual((await modelsListed(page)).toSorted(), ['sandbox-reasoner', 'sandbox-reasoner', 'sandbox-small']);
  await page.getByRole('combobox', { name: 'Model' }).or(page.getByLabel('Model', { exact: true })).first().click();
  await page.getByRole('option', { name: 'sandbox-reasoner' }).click();
  await page.waitForURL(/model=sandbox-reasoner/);
  const address = page.url();
  await expectFiltered(page, address);
  await page.reload();
  await expectFiltered(page, address);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('model='));
  // Rows from before stay, dimmed, while others load.
  await until('all requests to be listed again', async () => (await modelsListed(page)).length === 3);
  await page.goForward();
  await expectFiltered(page, address);
  const other = await context.signedIn(owner);
  await other.page.goto(address);
  await expectFiltered(other.page, address);
}

export const filterAddresses: Check = { number: 8, title: 'Filters survive reload, back and forward, and open in a second browser by the address', run: keepsFilters };

/** Opens the search, and pastes a text. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByPlaceholder('Go to a page, or paste an id').fill(text);
  await page.getByRole('button', { name: `Open request ${text}` }).or(page.getByRole('option', { name: `Open request ${text}` })).first().click();
}

async function findsRequests(context: CheckContext): Promise<void> {
  const [owner, other] = [await context.owner(), await context.owner()];
  const [own, foreign] = [await subjectsOf(context.world, owner), await subjectsOf(context.world, other)];
  const { page } = await context.signedIn(owner);
  await paste(page, own.requestId);
  await page.waitForURL(new RegExp(`/usage/${own.requestId}$`));
  await shown(page.getByRole('region', { name: 'Charge' }));
  await paste(page, foreign.requestId);
  await shown(page.getByText('No request with this id in your account.'));
  await paste(page, 'req_0000000000000000000000');
  await page.waitForURL(/req_0000/);
  await shown(page.getByText('No request with this id in your account.'));
  await shown(heading(page, 'Request'));
}

export const requestSearch: Check = { number: 9, title: 'A pasted request id opens its record; one of another account is as unknown as one of none', run: findsRequests };
