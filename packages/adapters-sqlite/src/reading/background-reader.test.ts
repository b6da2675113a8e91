import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, STORE_NOON } from '@tollgate/testkit';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { BackgroundReader } from './background-reader.js';

/** A query that runs for most of a second. */
const LONG_QUERY = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) as c, sum(i % 7) as s from n';
const COUNT = { sql: 'select count(*) as c from accounts where created_at <= ?', parameters: [STORE_NOON] };

const MORE_THAN_A_BLOCKED_THREAD_TAKES = 10;

let place: StoreFile;
let thread: BackgroundReader;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
  thread = new BackgroundReader(place.file);
});

afterEach(async () => {
  await thread.close();
  place.remove();
});

it('a long query does not block the event loop', async () => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const rows = await thread.rows({ sql: LONG_QUERY, parameters: [] });
  isDone = true;
  expect(rows).toEqual([{ c: 3_000_000n, s: 8_999_997n }]);
  // A query on this thread would allow the event loop hardly any turn. The exact number depends on the load of the machine.
  expect(turns).toBeGreaterThan(MORE_THAN_A_BLOCKED_THREAD_TAKES);
});

it('all queries of a background reader see one snapshot of the file, even after later writes', async () => {
  expect(await thread.rows(COUNT)).toEqual([{ c: 0n }]);
  const store = await place.open();
  await store.accounts.create(anAccount(), SYSTEM_ACTOR);
  await store.close();
  expect(await thread.rows(COUNT)).toEqual([{ c: 0n }]);
});

it('a query that fails or tries to write is rejected with the error, and the next query succeeds', async () => {
  await expect(thread.rows({ sql: 'select * from nowhere', parameters: [] })).rejects.toThrow('no such table');
  await expect(thread.rows({ sql: 'delete from accounts returning id', parameters: [] })).rejects.toThrow('readonly');
  expect(await thread.rows(COUNT)).toEqual([{ c: 0n }]);
});

it('the first query fails if the file is missing', async () => {
  const nowhere = new BackgroundReader(`${place.file}.nowhere`);
  await expect(nowhere.rows(COUNT)).rejects.toThrow('unable to open database file');
  await nowhere.close();
});
