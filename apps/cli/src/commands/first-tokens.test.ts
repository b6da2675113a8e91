import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type AccountId, later, type ModelSlug, type ProcessId } from '@tollgate/core';
import { anEnding, aServedModel, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
});
afterEach(() => folder.remove());

/** Serves requests of two accounts and two models in November 2026. */
async function serveRequests(): Promise<CreatedAccount> {
  const ada = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '1000');
  const bob = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'bob@example.test', '--name', 'Bob', '--credit', '1000');
  const store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock: new ManualClock(), processId: 'process_gateway' as ProcessId });
  const driver = new StoreDriver(store);
  const serve = (number: number, { account }: CreatedAccount, milliseconds: number, model: string) => driver.serve(number, anEnding(1, {
    endedAt: later(STORE_NOON, 60_000), firstOutputAt: later(STORE_NOON, milliseconds), service: aServedModel({ servedBy: model as ModelSlug }),
  }), { accountId: account.id as AccountId, startedAt: STORE_NOON });
  await serve(1, ada, 100, 'small');
  await serve(2, ada, 300, 'large');
  await serve(3, bob, 9000, 'small');
  await store.close();
  return ada;
}

it('usage first-token shows the median and 95th percentile by period and by model, for one account or all', async () => {
  await serveRequests();
  const period = ['--from', '2026-11-18', '--to', '2026-11-19'];
  expect(await folder.json('usage', 'first-token', 'ada@example.test', ...period)).toEqual({
    object: 'first_token_summary', start: '2026-11-18T00:00:00.000Z', end: '2026-11-19T00:00:00.000Z', by: 'day', is_sampled: false, total: { requests: 2, p50: 100, p95: 300 },
    data: [{ period: '2026-11-18', requests: 2, p50: 100, p95: 300 }], models: [{ model: 'large', requests: 1, p50: 300, p95: 300 }, { model: 'small', requests: 1, p50: 100, p95: 100 }],
  });
  expect(await folder.json('usage', 'first-token', '--by', 'month', '--model', 'small', ...period)).toMatchObject({ data: [{ period: '2026-11', requests: 2, p50: 100, p95: 9000 }] });
  const { out } = await folder.run('usage', 'first-token', ...period);
  expect(out).toMatch(/^DAY +REQUESTS +MEDIAN MS +95 % MS\n2026-11-18 +3 +300 +9000\n\(all\) +3 +300 +9000\n\nMODEL .*\nsmall +2 +100 +9000\nlarge +1 +300 +300\n$/);
});

it('usage first-token reports a period without measurements, and refuses one that ends before its start or is too long', async () => {
  expect((await folder.run('usage', 'first-token', '--from', '2026-11-18', '--to', '2026-11-19')).out).toBe('There is no request with output in this period.\n');
  for (const [from, to, why] of [['2026-11-19', '2026-11-18', 'earlier'], ['2025-11-17', '2026-11-19', 'at most 366 days']] as const) {
    expect(await folder.run('usage', 'first-token', '--from', from, '--to', to)).toMatchObject({ exitCode: 2, error: expect.stringContaining(why) });
  }
});
