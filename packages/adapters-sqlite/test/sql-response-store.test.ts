import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES } from '@tollgate/core';
import { sqliteQueries, SqlResponseStore, type SqlStore } from '@tollgate/sql-common';
import { RecordingRunner, STORE_PROCESS } from '@tollgate/sql-common/testing';
import { aKeptResponse, STORE_ALICE, STORE_BOB, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import { copyDatabase } from '../src/copying/copy-database.js';
import { openSqliteStore } from '../src/open-sqlite-store.js';
import { storeFile, type StoreFile } from '../src/test-support/stores.js';

/** Returns the queries of the task. Each query is answered with `rows`. */
async function queriesOf(task: (responses: SqlResponseStore) => Promise<unknown>, rows: readonly unknown[] = []): Promise<readonly CompiledQuery[]> {
  const runner = new RecordingRunner(() => ({ rows, changes: 0 }));
  await task(new SqlResponseStore({ queries: sqliteQueries(), runner, keeping: runner, erasing: runner, clock: 'caller' }));
  return runner.queries;
}

/** Counts that exceed both limits. */
const EXCESS = [{ responses: BigInt(MAX_STORED_RESPONSES + 1), bytes: BigInt(MAX_STORED_RESPONSES_BYTES + 1) }];

describe('SqlResponseStore on SQLite', () => {
  let place: StoreFile;

  beforeEach(async () => {
    place = storeFile();
    await (await place.open()).close();
  });
  afterEach(() => place.remove());

  it.each<[string, (responses: SqlResponseStore) => Promise<unknown>, readonly unknown[], readonly string[]]>([
    ['keeps a response', (responses) => responses.keep(aKeptResponse(1)), [], ['SEARCH stored_responses USING COVERING INDEX stored_responses_by_age (account_id=?)']],
    ['removes responses beyond both limits', (responses) => responses.keep(aKeptResponse(1)), EXCESS, [
      'USING COVERING INDEX stored_responses_by_age (account_id=? AND seq=?)', 'USING COVERING INDEX stored_responses_by_age (account_id=? AND seq<?)',
    ]],
    ['finds a response', (responses) => responses.find(STORE_ALICE, 'resp_1', STORE_NOON), [], ['(account_id=? AND id=?)']],
    ['follows a chain', (responses) => responses.chain(STORE_ALICE, 'resp_1', STORE_NOON), [], ['(account_id=? AND id=?)', 'USING INTEGER PRIMARY KEY (rowid=?)']],
    ['removes a response', (responses) => responses.remove(STORE_ALICE, 'resp_1', STORE_NOON), [], ['(account_id=? AND id=?)']],
    ['removes expired responses', (responses) => responses.sweep(STORE_NOON), [], ['USING COVERING INDEX stored_responses_by_expiry (expires_at<?)', 'USING INTEGER PRIMARY KEY (rowid=?)']],
  ])('%s by an index, without scanning a table', async (_, task, rows, steps) => {
    const queries = await queriesOf(task, rows);
    const direct = new Database(place.file);
    const plan = queries.flatMap(({ sql, parameters }) => direct.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters))
      .map(({ detail }) => detail);
    direct.close();
    for (const step of steps) expect(plan.join('; ')).toContain(step);
    expect(plan.filter((detail) => /SCAN (stored_responses|earlier|response)\b/u.test(detail))).toEqual([]);
  });

  it('stores responses in a copy of the database, for a gateway that opens the copy', async () => {
    const store = await place.open();
    await store.responses.keep(aKeptResponse(1, { inputItems: '["Grüße"]' }));
    const target = `${place.file}.copy`;
    await copyDatabase(place.file, target, () => undefined);
    await store.close();
    const restored = await openSqliteStore({ file: target, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS });
    expect(await restored.responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toMatchObject({ id: 'resp_1', inputItems: '["Grüße"]' });
    await restored.close();
  });

  it('overwrites the bytes of responses in the file when they are removed or their account is erased', async () => {
    const secrets = ['secret 1', 'secret 2', 'secret 3', 'of Bob'];
    const inFile = async (task: (store: SqlStore) => Promise<unknown>): Promise<readonly boolean[]> => {
      const store = await place.open();
      await task(store);
      await store.close();
      const bytes = readFileSync(place.file, 'latin1');
      return secrets.map((secret) => bytes.includes(secret));
    };
    // Longer than a page of the database, as replies are. The third response fits in one page.
    const body = (text: string): string => JSON.stringify([text, 'x'.repeat(9_000), text]);
    expect(await inFile(async ({ responses }) => {
      for (const number of [1, 2, 3]) await responses.keep(aKeptResponse(number, { body: number === 3 ? '"secret 3"' : body(`secret ${number}`) }));
      await responses.keep(aKeptResponse(4, { accountId: STORE_BOB, body: body('of Bob') }));
    })).toEqual([true, true, true, true]);
    expect(await inFile(({ responses }) => responses.remove(STORE_ALICE, 'resp_2', STORE_NOON))).toEqual([true, false, true, true]);
    expect(await inFile(({ erasure }) => erasure.eraseLeftovers(STORE_ALICE))).toEqual([false, false, false, true]);
  });

  it('finds stored responses whatever the length of the id', async () => {
    const store = await place.open();
    const id = `resp_${'x'.repeat(2_000)}`;
    await store.responses.keep(aKeptResponse(1, { id }));
    expect(await store.responses.find(STORE_ALICE, id, STORE_NOON)).toMatchObject({ id });
    await store.close();
  });
});
