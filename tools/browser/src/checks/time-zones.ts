import { strict as assert } from 'node:assert';
import { type Instant, ServiceTokens } from '@tollgate/core';
import type { Locator, Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { signIn, type WatchedPage } from '../driver/watched-page.js';
import { PASSWORD, type Resident, type World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';
import { heading, shown } from '../driver/page-states.js';

/** The end of February in UTC. It is still February 28 west of UTC, and already March east of it. */
const LAST_MINUTES = '2027-02-28T23:50:00Z';
const EARLIER = ['2027-02-27T12:00:00Z', '2027-02-28T00:10:00Z', '2027-02-28T23:45:00Z'] as const;
const NEXT_MONTH = '2027-03-01T00:05:00Z';
const FIFTEEN_MINUTES = 15 * 60_000;

/** A time zone, and the texts that pages must show in it. */
interface Zone {
  readonly timezoneId: string;
  /** Local times of the requests `EARLIER`, and of the first request in March. */
  readonly earlier: readonly [string, string, string];
  readonly next: string;
  /** Local time at which a UTC day begins. */
  readonly midnight: string;
  /** 06:00 local time on February 28, in UTC, and the number of `EARLIER` requests before then. */
  readonly six: readonly [instant: string, before: number];
}

const ZONES: readonly Zone[] = [
  { timezoneId: 'America/Los_Angeles', earlier: ['27 Feb, 04:00', '27 Feb, 16:10', '28 Feb, 15:45'], next: '28 Feb, 16:05', midnight: '16:00', six: ['2027-02-28T14:00:00.000Z', 2] },
  { timezoneId: 'Asia/Kathmandu', earlier: ['27 Feb, 17:45', '28 Feb, 05:55', '1 Mar, 05:30'], next: '1 Mar, 05:50', midnight: '05:45', six: ['2027-02-28T00:15:00.000Z', 2] },
  { timezoneId: 'Pacific/Auckland', earlier: ['28 Feb, 01:00', '28 Feb, 13:10', '1 Mar, 12:45'], next: '1 Mar, 13:05', midnight: '13:00', six: ['2027-02-27T17:00:00.000Z', 1] },
];

/** A change to or from daylight saving time, and requests before and after it. */
interface ClockChange {
  readonly timezoneId: string;
  readonly now: string;
  readonly requests: readonly [at: string, written: string][];
  /** Local time at which the UTC day ends, after the change. */
  readonly midnight: string;
}

const CLOCK_CHANGES: readonly ClockChange[] = [
  { timezoneId: 'America/Los_Angeles', now: '2027-03-14T11:00:00Z', requests: [['2027-03-14T09:30:00Z', '14 Mar, 01:30'], ['2027-03-14T10:30:00Z', '14 Mar, 03:30']], midnight: '17:00' },
  { timezoneId: 'Pacific/Auckland', now: '2027-04-03T15:00:00Z', requests: [['2027-04-03T13:30:00Z', '4 Apr, 02:30'], ['2027-04-03T14:30:00Z', '4 Apr, 02:30']], midnight: '12:00' },
];

function instantOf(text: string): Instant {
  return Date.parse(text) as Instant;
}

/** Sends a request at this time; resolves with its charge. */
async function spendAt({ clock, gateway }: World, { secret }: Resident, at: string): Promise<string> {
  clock.set(instantOf(at));
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: `Hello. [[tokens:${100 + Date.parse(at) % 97}]]` }] }),
  });
  assert.equal(response.status, 200, await response.text());
  return response.headers.get('x-svc-tokens-debited') ?? '';
}

function sum(amounts: readonly string[]): string {
  return amounts.reduce((all, amount) => all.plus(ServiceTokens.parse(amount)), ServiceTokens.ZERO).toString();
}

/** Opens a page in this time zone whose clock shows the gateway's time. */
async function pageIn(context: CheckContext, owner: Resident, timezoneId: string): Promise<WatchedPage> {
  const watched = await context.page({ timezoneId });
  await watched.context.clock.install({ time: context.world.clock.now() });
  await signIn(watched.page, owner.email, PASSWORD);
  await shown(heading(watched.page));
  return watched;
}

function tile(page: Page, name: string): Locator {
  return page.locator('div').filter({ has: page.getByRole('link', { name, exact: true }) }).filter({ has: page.locator('[data-tokens]') }).last();
}

/** Service tokens of the amounts that are shown in dollars. */
function tokensIn(below: Locator): Promise<readonly (string | null)[]> {
  return below.locator('[data-tokens]').evaluateAll((elements) => elements.map((element) => element.getAttribute('data-tokens')));
}

async function expectTile(page: Page, name: string, amounts: readonly string[]): Promise<void> {
  await until(`${name} of ${sum(amounts)}`, async () => (await tokensIn(tile(page, name)))[0] === sum(amounts)).catch(async (thrown: Error) => {
    throw new Error(`${thrown.message}; the tile has ${(await tile(page, name).textContent({ timeout: 1_000 }).catch(() => 'gone')) ?? ''}`);
  });
}

/** Times of the listed requests, newest first, in UTC and as the page shows them. */
async function listed(page: Page): Promise<readonly (readonly [string, string])[]> {
  const times = await page.getByRole('table', { name: 'Requests' }).getByRole('row').locator('time').evaluateAll((all) => all.map((time) => [time.getAttribute('title') ?? '', time.textContent] as const));
  // A request ends some milliseconds after its start.
  return times.map(([utc, text]) => [utc.slice(0, 16), text.slice(0, -7)] as const);
}

async function expectListed(page: Page, expected: readonly (readonly [at: string, written: string])[]): Promise<void> {
  const wanted = expected.map(([at, written]) => [at.slice(0, 16), written]).toReversed();
  await until('the requests to be listed', async () => (await listed(page)).length === wanted.length).catch(() => undefined);
  assert.deepEqual(await listed(page), wanted);
}

async function openPeriods(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Period: / }).click();
  const periods = page.getByRole('dialog', { name: 'Period' });
  await shown(periods);
  return periods;
}

async function expectMidnight(periods: Locator, midnight: string): Promise<void> {
  await shown(periods.getByText(`Days are in UTC: a new day starts at ${midnight} in your time zone.`, { exact: true }));
}

/** Expects the sums of the UTC day and month, whatever the local date. */
async function expectOverview(page: Page, charges: readonly string[]): Promise<void> {
  await page.goto('/dashboard/overview');
  await expectTile(page, 'Today (UTC)', charges.slice(1));
  await expectTile(page, 'February (UTC)', charges);
  const spend = page.getByRole('region', { name: 'Spend, last 30 days' }).first();
  await spend.getByRole('button', { name: 'View as table' }).click();
  const rows = spend.getByRole('row');
  assert.match(await rows.first().innerText(), /^Day \(UTC\)/);
  const days = await spend.getByRole('rowheader').allTextContents();
  assert.deepEqual([days[0], ...days.slice(-3)], ['30 Jan', '27 Feb', '28 Feb', 'Total']);
  assert.equal((await tokensIn(spend.getByRole('row', { name: /^28 Feb/ }))).at(-1), sum(charges.slice(1)));
  assert.equal((await tokensIn(spend.getByRole('row', { name: /^27 Feb/ }))).at(-1), charges[0]);
}

/** Expects local times, UTC days, and that the person can go to a local time. */
async function expectUsage(page: Page, { earlier, midnight, six }: Zone): Promise<void> {
  const requests = EARLIER.map((at, position) => [at, earlier[position] ?? ''] as const);
  await page.goto('/dashboard/usage');
  await expectListed(page, requests);
  const periods = await openPeriods(page);
  await expectMidnight(periods, midnight);
  assert.equal(await periods.getByRole('button', { name: 'Next month' }).isDisabled(), true, 'a day of the next month can be chosen');
  await periods.getByRole('button', { name: 'Today', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('start') === '2027-02-28' && url.searchParams.get('end') === '2027-02-28');
  await expectListed(page, requests.slice(1));
  const calendar = await openPeriods(page);
  for (let click = 0; click < 2; click += 1) await calendar.getByRole('button', { name: '27 February 2027' }).click();
  await page.waitForURL((url) => url.searchParams.get('start') === '2027-02-27' && url.searchParams.get('end') === '2027-02-27');
  await expectListed(page, requests.slice(0, 1));
  await page.goto('/dashboard/usage');
  await page.getByRole('button', { name: 'Jump to a time' }).click();
  await page.getByLabel('Date and time').fill('2027-02-28T06:00');
  await page.getByRole('button', { name: 'Jump', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('at') === six[0]);
  await expectListed(page, requests.slice(0, six[1]));
}

/** Pages that are open when the month ends. */
interface LeftOpen {
  readonly zone: Zone;
  readonly watched: WatchedPage;
  readonly overview: Page;
  readonly usage: Page;
}

async function leaveOpen(context: CheckContext, owner: Resident, { zone, charges }: { readonly zone: Zone; readonly charges: readonly string[] }): Promise<LeftOpen> {
  const watched = await pageIn(context, owner, zone.timezoneId);
  await expectUsage(watched.page, zone);
  await expectOverview(watched.page, charges);
  const usage = await watched.context.newPage();
  await usage.goto('/dashboard/usage');
  await expectListed(usage, EARLIER.map((at, position) => [at, zone.earlier[position] ?? '']));
  return { zone, watched, overview: watched.page, usage };
}

/** Checks that open pages show the new day and month without a reload, when the person returns to them. */
async function expectNextMonth({ zone, watched, overview, usage }: LeftOpen, charge: string): Promise<void> {
  await watched.context.clock.fastForward(FIFTEEN_MINUTES);
  await shown(tile(overview, 'February (UTC)'));
  await overview.mouse.move(1, 1);
  await usage.keyboard.press('Shift');
  await expectTile(overview, 'March (UTC)', [charge]);
  await expectTile(overview, 'Today (UTC)', [charge]);
  await expectListed(usage, [...EARLIER.map((at, position) => [at, zone.earlier[position] ?? ''] as const), [NEXT_MONTH, zone.next]]);
}

/** Checks that a time is shown with the offset that was valid then, and that the next UTC midnight has the new offset. */
async function expectClockChange(context: CheckContext, { timezoneId, now, requests, midnight }: ClockChange): Promise<void> {
  const owner = await context.owner();
  for (const [at] of requests) await spendAt(context.world, owner, at);
  context.world.clock.set(instantOf(now));
  const { page } = await pageIn(context, owner, timezoneId);
  await page.goto('/dashboard/usage');
  await expectListed(page, requests);
  await expectMidnight(await openPeriods(page), midnight);
}

async function run(check: CheckContext): Promise<void> {
  await check.apart(async (context) => {
    const { world } = context;
    const owner = await context.owner();
    const charges: string[] = [];
    for (const at of EARLIER) charges.push(await spendAt(world, owner, at));
    world.clock.set(instantOf(LAST_MINUTES));
    const open = await Promise.all(ZONES.map((zone) => leaveOpen(context, owner, { zone, charges })));
    const next = await spendAt(world, owner, NEXT_MONTH);
    await Promise.all(open.map((left) => expectNextMonth(left, next)));
    for (const change of CLOCK_CHANGES) await expectClockChange(context, change);
  }, { time: instantOf('2027-02-27T11:00:00Z') });
}

export const timeZones: Check = { number: 12, title: 'Days are in UTC and times in the viewer’s zone, in three zones, across the end of a month and changes to and from daylight saving time', run };
