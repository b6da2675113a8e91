import { PAGE_SIZES } from '@tollgate/core';
import { strict as assert } from 'node:assert';
import type { CDPSession, Page } from 'playwright-core';
import { addRecords } from '../world/fixtures.js';
import type { Check, CheckContext } from './check.js';
import { gone, shown } from '../driver/page-states.js';

const RECORDS = 1_000_000;
const SECOND = 1_000;
const SCROLLING_SECONDS = 60;
const HEAP_SECONDS: readonly number[] = [20, 40, 60];
const UP_AFTER_SECONDS = 45;
/** Distance of one turn of the wheel; the turns scroll several screens a second. */
const WHEEL_PIXELS = 800;
const WHEEL_MILLISECONDS = 50;
const MAX_INTERACTION_MILLISECONDS = 200;
const { most: PAGE_ROWS } = PAGE_SIZES.usage.dashboard;
/** Maximum number of loaded pages: as many as 5,000 rows fill. */
const MAX_PAGES = Math.floor(5_000 / PAGE_ROWS);
const MAX_ROWS = MAX_PAGES * PAGE_ROWS;
/**
 * Maximum size of the heap as a multiple of its size after 20 seconds, when even a slow machine has read most of the 5,000 rows. Keeping all rows of
 * a minute would more than double it.
 */
const HEAP_GROWTH = 1.25;
const MEBIBYTE = 1_048_576;

interface Interaction {
  readonly name: string;
  readonly milliseconds: number;
}

type Noting = typeof globalThis & { readonly interactions: Interaction[] };

/** Records the time from each key press or click to the next frame. */
async function noteInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const interactions: Interaction[] = [];
    Object.assign(globalThis, { interactions });
    const observer = new PerformanceObserver((list) => {
      // Only entries with an id are interactions; rows that move under the pointer cause entries without one.
      for (const { name, duration, interactionId } of list.getEntries() as PerformanceEventTiming[]) if (interactionId > 0) interactions.push({ name, milliseconds: duration });
    });
    observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

function numberIn(text: string): number {
  return Number((/[\d,]+/.exec(text)?.[0] ?? 'NaN').replaceAll(',', ''));
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

async function interact(page: Page, second: number): Promise<void> {
  await page.keyboard.press(second % 2 === 0 ? 'j' : 'k');
  if (second % 10 !== 5) return;
  const record = page.getByRole('region', { name: 'Request', exact: true });
  await page.keyboard.press('Enter');
  await shown(record.getByRole('region', { name: 'Charge' }));
  await page.keyboard.press('Escape');
  await gone(record);
}

interface Observed {
  /** Largest number of rows that the page had at a time. */
  readonly rows: number;
  /** Size of the heap in bytes, at each of the seconds in `HEAP_SECONDS`. */
  readonly heaps: readonly number[];
}

async function scroll(page: Page): Promise<Observed> {
  const session = await page.context().newCDPSession(page);
  const list = page.getByRole('region', { name: 'Requests' }).last();
  const shownRows = page.getByRole('status').filter({ hasText: 'rows shown' });
  await list.hover();
  const heaps: number[] = [];
  let rows = 0;
  for (let second = 1; second <= SCROLLING_SECONDS; second += 1) {
    const end = Date.now() + SECOND;
    while (Date.now() < end) {
      await page.mouse.wheel(0, second > UP_AFTER_SECONDS ? -WHEEL_PIXELS : WHEEL_PIXELS);
      await new Promise((resolve) => { setTimeout(resolve, WHEEL_MILLISECONDS); });
    }
    await interact(page, second);
    rows = Math.max(rows, numberIn(await shownRows.innerText()));
    if (HEAP_SECONDS.includes(second)) heaps.push(await heapOf(session));
  }
  return { rows, heaps };
}

async function scrolls(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  await addRecords(context.world, owner, RECORDS);
  const { page } = await context.signedIn(owner);
  await noteInteractions(page);
  const pages = new Set<string>();
  page.on('request', (request) => void (new URL(request.url()).pathname === '/dashboard/api/usage' && pages.add(request.url())));
  await page.goto('/dashboard/usage');
  await shown(page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1));
  assert.equal(numberIn(await page.getByRole('region', { name: 'Totals' }).getByTitle(/^[\d,]+$/).first().innerText()), RECORDS);
  const { rows, heaps } = await scroll(page);
  assert.equal(rows, MAX_ROWS, 'the page holds as many whole pages as 5,000 rows allow, and no more');
  assert.ok(pages.size > MAX_PAGES, `only ${pages.size} pages were read, and none was dropped`);
  const [first = 0, ...later] = heaps;
  assert.ok(later.every((bytes) => bytes <= first * HEAP_GROWTH), `the heap grows: ${heaps.map((bytes) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`).join(', ')}`);
  const interactions = await page.evaluate(() => (globalThis as Noting).interactions);
  const worst = interactions.toSorted((one, other) => other.milliseconds - one.milliseconds)[0];
  const pressed = await page.evaluate(() => performance.eventCounts.get('keydown') ?? 0);
  assert.ok(pressed >= SCROLLING_SECONDS, 'the page noticed the keys');
  assert.ok((worst?.milliseconds ?? 0) <= MAX_INTERACTION_MILLISECONDS, `an interaction (${worst?.name ?? ''}) took ${worst?.milliseconds ?? 0} ms`);
}

export const millionRecords: Check = { number: 11, title: 'A million records scroll for a minute: no interaction takes 200 ms, the heap stays flat, and the page holds 5,000 rows at most', run: (context) => context.apart(scrolls) };
