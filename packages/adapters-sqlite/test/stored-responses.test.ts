import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES } from '@tollgate/core';
import { ResponseScripts, runScript, type Script, sqliteQueries } from '@tollgate/sql-common';
import { aKeptResponse, STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import { storeFile, type StoreFile } from '../src/test-support/stores.js';

const SCRIPTS = new ResponseScripts(sqliteQueries(), 'caller');

/** Answered with these rows. */
function queriesOf(script: Script<unknown>, rows: readonly unknown[] = []): readonly CompiledQuery[] {
  const queries: CompiledQuery[] = [];
  runScript(script, (query) => {
    queries.push(query);
    return { rows, changes: 0 };
  });
  return queries;
}

/** Beyond both limits. */
const EXCESS = [{ responses: BigInt(MAX_STORED_RESPONSES + 1), bytes: BigInt(MAX_STORED_RESPONSES_BYTES + 1) }];

describe('SqlResponseStore on SQLite', () => {
  let place: StoreFile;

  beforeEach(async () => {
    place = storeFile();
    await (await place.open()).close();
  });
  afterEach(() => place.remove());

  it.each<[string, readonly CompiledQuery[], readonly string[]]>([
    ['keeps one', queriesOf(SCRIPTS.keep(aKeptResponse(1), 1)), ['SEARCH stored_responses USING COVERING INDEX stored_responses_by_age (account_id=?)']],
    ['removes those beyond both bounds', queriesOf(SCRIPTS.keep(aKeptResponse(1), 1), EXCESS), [
      'USING COVERING INDEX stored_responses_by_age (account_id=? AND seq=?)', 'USING COVERING INDEX stored_responses_by_age (account_id=? AND seq<?)',
    ]],
    ['finds one', queriesOf(SCRIPTS.find(STORE_ALICE, 'resp_1', STORE_NOON)), ['(account_id=? AND id=?)']],
    ['follows a chain', queriesOf(SCRIPTS.chain(STORE_ALICE, 'resp_1', STORE_NOON)), ['(account_id=? AND id=?)', 'USING INTEGER PRIMARY KEY (rowid=?)']],
    ['removes one', queriesOf(SCRIPTS.remove(STORE_ALICE, 'resp_1', STORE_NOON)), ['(account_id=? AND id=?)']],
    ['sweeps', queriesOf(SCRIPTS.sweep(STORE_NOON)), ['USING COVERING INDEX stored_responses_by_expiry (expires_at<?)', 'USING INTEGER PRIMARY KEY (rowid=?)']],
  ])('%s by an index, and reads no table from end to end', (_, queries, steps) => {
    const direct = new Database(place.file);
    const plan = queries.flatMap(({ sql, parameters }) => direct.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters))
      .map(({ detail }) => detail);
    direct.close();
    for (const step of steps) expect(plan.join('; ')).toContain(step);
    expect(plan.filter((detail) => /SCAN (stored_responses|earlier|response)\b/u.test(detail))).toEqual([]);
  });
});
