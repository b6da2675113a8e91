import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { until } from '../driver/wait.js';
import { type Resident, sendRequest, type World } from '../world/open-world.js';
import { copyRecord } from '../world/copy-rows.js';
import { subjectsOf } from '../world/fixtures.js';
import type { Check, CheckContext } from './check.js';
import { gone, heading, shown } from '../driver/page-states.js';

/** Models in the rows of the list of requests. */
async function modelsListed(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('table', { name: 'Requests' });
  await shown(list.getByRole('row').nth(1));
  return list.getByRole('row').evaluateAll((rows) => rows.slice(1).map((row) => (/Sandbox (?:Small|Reasoner)/.exec(row.textContent) ?? [''])[0]));
}

async function expectFiltered(page: Page, address: string): Promise<void> {
  assert.equal(new URL(page.url()).search, new URL(address).search);
  await shown(page.getByRole('button', { name: 'Remove filters' }));
  assert.deepEqual([...new Set(await modelsListed(page))], ['Sandbox Reasoner']);
}

async function keepsFilters(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  for (const model of ['sandbox-small', 'sandbox-reasoner', 'sandbox-reasoner']) await sendRequest(context.world, owner, { model, tokens: 20, isMessages: false });
  const { page } = await context.signedIn(owner);
  await page.goto('/dashboard/usage');
  assert.deepEqual((await modelsListed(page)).toSorted(), ['Sandbox Reasoner', 'Sandbox Reasoner', 'Sandbox Small']);
  await page.getByRole('combobox', { name: 'Model' }).or(page.getByLabel('Model', { exact: true })).first().click();
  await page.getByRole('option', { name: 'Sandbox Reasoner' }).click();
  await page.waitForURL(/model=sandbox-reasoner/);
  const address = page.url();
  await expectFiltered(page, address);
  await page.reload();
  await expectFiltered(page, address);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('model='));
  // While rows load, the earlier ones remain visible, so the check waits for the number of rows.
  await until('all requests to be listed again', async () => (await modelsListed(page)).length === 3);
  await page.goForward();
  await expectFiltered(page, address);
  const other = await context.signedIn(owner);
  await other.page.goto(address);
  await expectFiltered(other.page, address);
}

export const filterAddresses: Check = { number: 8, title: 'Filters survive reload, back and forward, and open in a second browser from the copied address', run: keepsFilters };

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByPlaceholder(/or paste an id$/).fill(text);
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
  await shown(page.getByText('Your account has no request with this id.'));
  await paste(page, 'req_0000000000000000000000');
  await page.waitForURL(/req_0000/);
  await shown(page.getByText('Your account has no request with this id.'));
  await shown(heading(page, 'Request'));
}

export const requestSearch: Check = { number: 9, title: 'A pasted request id opens its record; an id of another account gets the same answer as an id that does not exist', run: findsRequests };

/** Number of records that the gateway searches for a page. */
const RECORDS_A_PAGE = 2_000;
const PAGES_UNASKED = 10;
const RECORDS = RECORDS_A_PAGE * (PAGES_UNASKED + 2);
const MINIMUM_CHARGE = '5';
const HELD_PAGE = 3;

/** Adds one expensive request, followed by many cheap ones; resolves with the id of the expensive one. */
async function addRecords(world: World, owner: Resident): Promise<string> {
  const now = world.clock.now();
  const daysAgo = (days: number): Instant => (now - days * MILLISECONDS_PER_DAY) as Instant;
  world.clock.set(daysAgo(6));
  await sendRequest(world, owner, { model: 'sandbox-reasoner', tokens: 900, isMessages: false });
  const headers = { authorization: `Bearer ${owner.secret}` };
  const { data: [dear] } = await (await fetch(`${world.gateway.url}/v1/usage?limit=1`, { headers })).json() as { readonly data: readonly { readonly request_id: string }[] };
  world.clock.set(now);
  const { requestId } = await subjectsOf(world, owner);
  await world.restart(() => copyRecord(world, { requestId, count: RECORDS, from: daysAgo(5), to: now }));
  return dear?.request_id ?? '';
}

/** Records which pages of the filtered list are requested, and how far the gateway searched for each. */
class SearchedPages {
  readonly searchedTo: (string | null)[] = [];
  asked = 0;
  #release: () => void = () => undefined;

  constructor(page: Page) {
    page.on('request', (request) => { if (isFiltered(request.url())) this.asked += 1; });
    page.on('response', (response) => {
      if (isFiltered(response.url())) void response.json().then(({ searched_to: searchedTo }: { readonly searched_to: string | null }) => this.searchedTo.push(searchedTo), () => undefined);
    });
  }

  /** Delays the reply for the page with this number until `release`. */
  async hold(page: Page, number: number): Promise<void> {
    const held = new Promise<void>((resolve) => { this.#release = resolve; });
    await page.route((url) => isFiltered(url.href), async (route) => {
      if (this.asked >= number) await held;
      await route.continue();
    });
  }

  release(): void {
    this.#release();
  }
}

function isFiltered(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  return pathname === '/dashboard/api/usage' && searchParams.has('min_charge');
}

/** A time as the page writes it, for example `22 Nov, 14:02`. The browser runs in UTC. */
function written(instant: string): string {
  const [, month, day, time] = /^\d{4}-(\d{2})-(\d{2})T(\d{2}:\d{2})/.exec(instant) ?? [];
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${Number(day)} ${months[Number(month) - 1] ?? ''}, ${time ?? ''}`;
}

async function expectSearchedTo(page: Page, pages: SearchedPages): Promise<void> {
  await shown(page.getByRole('button', { name: 'Search further' }));
  await until('the last page to be read', () => pages.searchedTo.length === pages.asked);
  await shown(page.getByText(`Searched back to ${written(pages.searchedTo.at(-1) ?? '')}.`, { exact: true }));
  assert.equal(await page.getByText('No requests match').count(), 0, 'a list that was not searched to its end says that nothing matches');
}

async function expectFound(page: Page, requestId: string): Promise<void> {
  await page.getByRole('button', { name: 'Search further' }).click();
  await shown(page.getByRole('table', { name: 'Requests' }).getByTitle(requestId));
  await gone(page.getByRole('button', { name: 'Search further' }));
  await shown(page.getByText('End of the list'));
}

async function searchesOn(page: Page, requestId: string): Promise<void> {
  const pages = new SearchedPages(page);
  await page.goto('/dashboard/usage');
  await shown(page.getByRole('table', { name: 'Requests' }));
  await page.getByLabel('Minimum charge').fill(MINIMUM_CHARGE);
  await page.keyboard.press('Enter');
  await expectSearchedTo(page, pages);
  assert.equal(pages.asked, PAGES_UNASKED, 'pages read without being asked');
  await expectFound(page, requestId);
}

async function stops(page: Page, requestId: string): Promise<void> {
  const pages = new SearchedPages(page);
  await pages.hold(page, HELD_PAGE);
  await page.goto(`/dashboard/usage?min_charge=${MINIMUM_CHARGE}`);
  await until('the third page to be asked for', () => pages.asked === HELD_PAGE);
  await shown(page.getByText(/^Searching\. Searched back to /));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  pages.release();
  await expectSearchedTo(page, pages);
  assert.equal(pages.asked, HELD_PAGE, 'pages read before the stop');
  await expectFound(page, requestId);
}

async function run(check: CheckContext): Promise<void> {
  await check.apart(async (context) => {
    const owner = await context.owner();
    const requestId = await addRecords(context.world, owner);
    await searchesOn((await context.signedIn(owner)).page, requestId);
    await stops((await context.signedIn(owner)).page, requestId);
  });
}

export const sparseSearch: Check = { number: 10, title: 'A search with few results reads ten pages by itself, shows the oldest time it has searched, stops at the Stop button, and resumes', run };
