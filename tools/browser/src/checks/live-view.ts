import { strict as assert } from 'node:assert';
import { MILLISECONDS_PER_DAY } from '@tollgate/core';
import type { Locator, Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import type { Resident, World } from '../world/open-world.js';
import { Relay } from '../world/started-program.js';
import type { Check, CheckContext } from './check.js';
import { heading, shown } from '../driver/page-states.js';
import { exactAmounts } from './amount-places.js';
import { layoutFaults } from './layout-faults.js';

const PLACES = 6;
/** Window widths around the one at which a table takes more than half of the page. */
const WIDTHS = [1000, 1012, 1024, 1036, 1048, 1060];
const LONG_NAME = 'A customer whose name is as long as names of companies may be, and which is never cut short';
const STREAM = '/dashboard/api/operator/live';
/** Time within which the page replaces a connection that is silent. */
const NOTICED_WITHIN = 10_000;

interface Charge {
  readonly svc_tokens_debited: string;
  readonly end_reason: string;
}

/** Sends requests, and computes from the replies what the page must show. */
class Load {
  requests = 0;
  #units = 0n;
  readonly codes = new Map<string, number>();

  constructor(private readonly world: World, private readonly secret: string) {}

  async send({ secret = this.secret, model = 'sandbox-small', text = 'Hello. [[tokens:40]]' }: { readonly secret?: string; readonly model?: string; readonly text?: string } = {}): Promise<void> {
    const response = await this.#post(secret, { model, max_tokens: 100, messages: [{ role: 'user', content: text }] });
    const { error } = await response.json() as { readonly error?: { readonly code: string } };
    this.#count(error?.code ?? String(response.status), response.headers.get('x-svc-tokens-debited') ?? '0');
  }

  /** Sends a request that breaks off: it counts under its error code, and the part that was sent is charged. */
  async breakOff(): Promise<void> {
    const response = await this.#post(this.secret, { model: 'sandbox-small', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hello. [[tokens:40]] [[fail:middle]]' }] });
    const text = await response.text();
    const record = await this.#read<Charge>(`/v1/usage/${response.headers.get('x-request-id') ?? ''}`);
    this.#count(/"code":"(\w+)"/.exec(text)?.[1] ?? 'none', record.svc_tokens_debited);
  }

  /** Sends a request, and disconnects before the reply. */
  async leave(): Promise<void> {
    const { signal, abort } = leaving();
    const reply = fetch(`${this.world.gateway.url}/v1/chat/completions`, {
      method: 'POST', signal, headers: { authorization: `Bearer ${this.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', max_tokens: 100, messages: [{ role: 'user', content: 'Hello. [[latency:60000]]' }] }),
    });
    await until('the request to run', () => this.world.gateway.runningRequests > 1);
    abort();
    await assert.rejects(reply);
    await until('the request to be over', () => this.world.gateway.runningRequests <= 1);
    const { data: [record] } = await this.#read<{ readonly data: readonly Charge[] }>('/v1/usage?limit=1');
    assert.equal(record?.end_reason, 'client_left');
    this.#count('Stopped by the client before the response', record?.svc_tokens_debited ?? '');
  }

  get charged(): string {
    const digits = this.#units.toString().padStart(PLACES + 1, '0');
    return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '');
  }

  #post(secret: string, body: object): Promise<Response> {
    return fetch(`${this.world.gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  /** Reads from the API, and counts the read, because the page counts reads as requests. */
  async #read<Body>(path: string): Promise<Body> {
    this.#count('200', '0');
    return await (await fetch(this.world.gateway.url + path, { headers: { authorization: `Bearer ${this.secret}` } })).json() as Body;
  }

  #count(code: string, charged: string): void {
    const [whole = '0', fraction = ''] = charged.split('.');
    this.requests += 1;
    this.#units += BigInt(whole + fraction.padEnd(PLACES, '0'));
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}

function leaving(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function codesOf(page: Page): Promise<ReadonlyMap<string, number>> {
  const rows = await page.getByRole('region', { name: 'Responses by code, 15 minutes' }).getByRole('row').evaluateAll((all) => all.slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
  return new Map(rows.map(([code = '', count = '']) => [code, Number(count)]));
}

/** Waits until the page shows the whole load, and compares the figures. */
async function expectFigures(page: Page, load: Load): Promise<void> {
  const chart = page.getByRole('img', { name: new RegExp(`^${load.requests} requests in the last 15 minutes, at most \\d+ in one second\\.$`) });
  await chart.waitFor({ state: 'visible', timeout: NOTICED_WITHIN }).catch(async () => {
    throw new Error(`the page shows ${await page.getByRole('img').first().getAttribute('aria-label').catch(() => 'nothing')}, although ${load.requests} requests were sent`);
  });
  assert.deepEqual(await codesOf(page), load.codes);
  const [, quarter] = await exactAmounts(page.getByRole('region', { name: 'Charged in the last minute' }));
  assert.equal(quarter, load.charged, 'the charges of 15 minutes');
}

function connection(page: Page, text: string): Locator {
  return page.getByText(text, { exact: true });
}

async function countsLoad(page: Page, load: Load, owner: Resident): Promise<void> {
  await shown(connection(page, 'Connected'));
  for (let number = 0; number < 6; number += 1) await load.send();
  await load.send({ secret: 'sk-unknown' });
  await load.send({ model: 'no-such-model' });
  await load.breakOff();
  await load.leave();
  await expectFigures(page, load);
  const [minute] = await exactAmounts(page.getByRole('region', { name: 'Charged in the last minute' }));
  assert.equal(minute, load.charged, 'the charges of a minute');
  const latest = page.getByRole('region', { name: 'Latest requests' }).getByRole('row');
  await until('each request to be listed', async () => await latest.count() === load.requests + 1);
  const busiest = page.getByRole('region', { name: 'Busiest accounts' }).getByRole('row').nth(1);
  assert.deepEqual((await busiest.getByRole('cell').allTextContents()).slice(1), [String(load.requests - 1), `${load.charged} service tokens`, '2'], 'requests, charges and refusals of the only account: a request with an unknown key is of none');
  assert.equal(await busiest.getByRole('link').getAttribute('href'), `/dashboard/operator/accounts/${owner.accountId}`);
}

/** Tables that reach beyond the card that contains them. */
function wideTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...document.querySelectorAll('main section > table')].flatMap((table) => {
    const card = table.closest('section');
    const beyond = Math.round(table.getBoundingClientRect().right - (card?.getBoundingClientRect().right ?? 0));
    return beyond > 0 ? [`the table of “${card?.getAttribute('aria-label') ?? ''}” ends ${beyond} pixels beyond its card`] : [];
  }));
}

async function fits(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    assert.deepEqual([...await layoutFaults(page), ...await wideTables(page)], [], `at ${width} pixels`);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Checks that a hidden page closes its connection, and catches up when it is visible again. */
async function hides(page: Page, load: Load): Promise<void> {
  const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(STREAM));
  await setHidden(page, true);
  await closed;
  await load.send();
  await load.send();
  await setHidden(page, false);
  await expectFigures(page, load);
}

/** Sets the visibility state of the page, because headless browsers do not hide pages. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (isHidden ? 'hidden' : 'visible') });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Checks that the live view is refused while the gateway drains, reconnects after the restart, and adds a request to the earlier figures. */
async function outlivesRestart(page: Page, load: Load, { world, owner }: Parts): Promise<void> {
  // This request ends while the page is disconnected, so none of the figures includes it.
  const last = new Load(world, owner.secret).send({ text: 'Hello. [[latency:1200]]' });
  await until('the request to run', () => world.gateway.runningRequests > 1);
  const refused = page.waitForResponse((response) => response.url().endsWith(STREAM) && response.status() === 503);
  await world.restart(async () => {
    await refused;
    await shown(connection(page, 'Connection lost, trying again'));
  });
  await last;
  await shown(connection(page, 'Connected'));
  await load.send();
  await expectFigures(page, load);
}

/** Checks that the page notices, after the computer has slept, that its connection is dead, and catches up. */
async function wakes(page: Page, load: Load, relay: Relay): Promise<void> {
  relay.silence(STREAM);
  await load.send();
  await load.send();
  await expectFigures(page, load);
  await shown(connection(page, 'Connected'));
}

/** Checks that an expired session leads to the sign-in page, and from there back to the live view. */
async function endsWithSession(page: Page, { clock }: World): Promise<void> {
  await setHidden(page, true);
  clock.advance(MILLISECONDS_PER_DAY);
  await setHidden(page, false);
  await page.waitForURL((url) => url.pathname.endsWith('/sign-in') && url.searchParams.get('to') === '/operator/live');
}

interface Parts {
  readonly world: World;
  readonly owner: Resident;
}

async function run(check: CheckContext): Promise<void> {
  const relay = await Relay.open();
  try {
    await check.apart(async (context) => {
      const { world } = context;
      relay.leadTo(world.gateway.url);
      const owner = await context.owner({ name: LONG_NAME, keyName: LONG_NAME });
      const { page } = await context.signedIn(await context.operator());
      await page.goto('/dashboard/operator/live');
      await shown(heading(page, 'Live'));
      const load = new Load(world, owner.secret);
      await countsLoad(page, load, owner);
      await fits(page);
      await hides(page, load);
      await outlivesRestart(page, load, { world, owner });
      await wakes(page, load, relay);
      await endsWithSession(page, world);
    }, { environment: { PUBLIC_URL: relay.origin } });
  } finally {
    await relay.close();
  }
}

export const liveView: Check = { number: 21, title: 'The live view counts a known load, fits the window with long names, closes its connection while hidden, and catches up after a restart and a sleep', run };
