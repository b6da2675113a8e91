import { expect, it } from '@jest/globals';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding, readAll, readPage, readUsageFeedPage, STORE_ALICE, STORE_NOON, StoreDriver, tokens } from '@tollgate/testkit';
import { POSITIONS_PER_STEP } from '../events/position-events.js';
import { USAGE_POSITIONS_PER_STEP } from '../usage/position-usage.js';
import type { SqlStore } from '../store/sql-store.js';
import type { SetBackSubject } from './store-history-contract.js';

const ALL = { limit: 1_000, types: null, accountId: null };
const EVENTS_PER_CYCLE = 6;
const CYCLES = Math.ceil((POSITIONS_PER_STEP + 1) / EVENTS_PER_CYCLE);

const REQUESTS = USAGE_POSITIONS_PER_STEP + 1;

/** Credits each amount once. The amounts are also the references, so they must differ. */
async function creditEach(driver: StoreDriver, ...amounts: readonly string[]): Promise<void> {
  for (const amount of amounts) await driver.credit(amount);
}

/** Repeatedly takes the whole balance, and gives it back. Each time, it crosses three thresholds and is reported as exhausted. */
async function emptyAndFill({ alerts, ledger }: SqlStore): Promise<void> {
  const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
  await alerts.choose(STORE_ALICE, tokens('30', '20', '10'), by);
  const act = { kind: 'correction', accountId: STORE_ALICE, amount: ServiceTokens.parse('100'), reason: null, ...by } as const;
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    for (const direction of ['lower', 'raise'] as const) await ledger.book({ ...act, direction, reference: `${direction} ${cycle}` });
  }
}

type Running = () => { readonly subject: SetBackSubject; readonly driver: StoreDriver };

/** Tests a feed after its database was restored. The account has 100 service tokens. */
export function feedAfterRestoring(running: Running): void {
  usageAfterRestoring(running);

  it('continues a feed from cursors before the backup, and refuses later ones, even if other events took their positions', async () => {
    const { subject, driver } = running();
    const { nextCursor: kept } = await readPage(subject.store.events);
    await subject.mark();
    await creditEach(driver, '1', '2');
    const { events: lost, nextCursor } = await readPage(subject.store.events, { after: kept });
    expect(lost).toHaveLength(2);
    const store = await subject.setBack();
    expect(await store.events.read({ ...ALL, after: nextCursor })).toEqual({ outcome: 'lost' });
    expect(await readPage(store.events, { after: kept })).toMatchObject({ events: [], hasMore: false });
    await creditEach(new StoreDriver(store), '3', '4', '5');
    expect(await store.events.read({ ...ALL, after: nextCursor })).toEqual({ outcome: 'lost' });
    expect((await readPage(store.events, { after: kept })).events.map(({ data }) => data['amount'])).toEqual(['3', '4', '5']);
  });

  it('continues a feed after an event that the backup contains without a position, like many others', async () => {
    const { subject } = running();
    await emptyAndFill(subject.store);
    await subject.mark();
    const all = await readAll(subject.store.events);
    const { nextCursor } = await readPage(subject.store.events);
    expect(all.length).toBeGreaterThan(POSITIONS_PER_STEP);
    const store = await subject.setBack();
    expect(await readAll(store.events, { after: nextCursor })).toEqual([]);
    await new StoreDriver(store).credit('7');
    expect((await readAll(store.events, { after: nextCursor })).map(({ data }) => data['amount'])).toEqual(['7']);
    expect((await readAll(store.events)).slice(0, -1)).toEqual(all);
  });
}

function usageAfterRestoring(running: Running): void {
  it('continues the feed of usage after an entry that the backup contains without a number', async () => {
    const { subject, driver } = running();
    await driver.credit('1000');
    await Promise.all(Array.from({ length: REQUESTS }, (_, number) => driver.serve(number, anEnding(1))));
    await subject.mark();
    const [first, second] = [await readUsageFeedPage(subject.store.usageFeed), await readUsageFeedPage(subject.store.usageFeed)];
    expect([first.entries.length, second.entries.length]).toEqual([USAGE_POSITIONS_PER_STEP, REQUESTS]);
    const { usageFeed } = await subject.setBack();
    const waiting = { outcome: 'page', entries: [], nextCursor: second.nextCursor, hasMore: true };
    expect(await readUsageFeedPage(usageFeed, second.nextCursor)).toEqual(waiting);
    expect(await readUsageFeedPage(usageFeed, second.nextCursor)).toEqual({ ...waiting, hasMore: false });
  });
}
