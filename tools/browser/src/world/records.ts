import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { type Resident, sendRequest, type World } from './open-world.js';
import type { Subjects } from '../checks/pages.js';

interface Copies {
  /** The request whose record is copied. */
  readonly requestId: string;
  readonly count: number;
  /** The copies end at even distances from here on. */
  readonly from: Instant;
  readonly to: Instant;
}

/** What each copy has of its own. */
const OWN: Readonly<Record<string, string>> = {
  request_id: "printf('req_%022d', n)", reservation_id: "printf('rsv_%022d', n)", started_at: '@from + n * @step', ended_at: '@from + n * @step', day: "date((@from + n * @step) / 1000, 'unixepoch')",
};

const TOKENS = ['uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens'];
const SUM_DAYS = `DELETE FROM usage_daily;
  INSERT INTO usage_daily (account_id, day, model, key_id, usd_rate, requests, ${TOKENS.join(', ')}, charge)
  SELECT account_id, day, coalesce(served_by, ''), coalesce(key_id, ''), usd_rate, count(*), ${TOKENS.map((name) => `sum(${name})`).join(', ')}, sum(charge) FROM usage_records GROUP BY 1, 2, 3, 4, 5`;

/** Takes away the indexes of records, and returns what puts them back: a sort is quicker than as many searches. */
function withoutIndexes(database: DatabaseSync): () => void {
  const indexes = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'usage_records' AND sql IS NOT NULL").all();
  for (const { name } of indexes) database.exec(`DROP INDEX "${String(name)}"`);
  return () => indexes.forEach(({ sql }) => database.exec(String(sql)));
}

/**
 * Adds copies of a request's record, directly with SQL, while no gateway has the database open, and recomputes the daily sums. They suit tests that
 * read usage only: they have no reservations or ledger entries.
 */
export function copyRecord({ folder }: World, { requestId, count, from, to }: Copies): void {
  const database = new DatabaseSync(join(folder, 'tollgate.db'), { enableForeignKeyConstraints: false });
  try {
    // Nothing has to outlast a power cut here, and the log would be as large as the database.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
    const putIndexesBack = withoutIndexes(database);
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('usage_records').map(({ name }) => String(name)).filter((name) => name !== 'seq');
    const insert = database.prepare(`INSERT INTO usage_records (${columns.join(', ')})
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
      SELECT ${columns.map((name) => OWN[name] ?? name).join(', ')} FROM numbers, (SELECT * FROM usage_records WHERE request_id = @requestId)`);
    insert.run({ '@requestId': requestId, '@count': BigInt(count), '@from': BigInt(from), '@step': BigInt(Math.floor((to - from) / (count + 1))) });
    database.exec(SUM_DAYS);
    putIndexesBack();
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

const MODEL = 'sandbox-small';

/** Sends a request, and names it, its key and its model. */
export async function subjectsOf(world: World, resident: Resident): Promise<Subjects> {
  await sendRequest(world, resident, { model: MODEL, tokens: 60, isMessages: false });
  const headers = { authorization: `Bearer ${resident.secret}` };
  const { data } = await (await fetch(`${world.gateway.url}/v1/usage?limit=1`, { headers })).json() as { readonly data: readonly { readonly request_id: string; readonly key_id: string }[] };
  const [record] = data;
  if (record === undefined) throw new Error('the request has no record');
  return { requestId: record.request_id, keyId: record.key_id, model: MODEL };
}

/** With the running day, a page of the last seven days shows them all. */
const DAYS = 6;

/** Gives an owner without requests so many records: that of one request, and copies. Restarts the gateway. */
export async function addRecords(world: World, owner: Resident, records: number): Promise<void> {
  const { requestId } = await subjectsOf(world, owner);
  const to = world.clock.now();
  await world.restart(() => copyRecord(world, { requestId, count: records - 1, from: (to - DAYS * MILLISECONDS_PER_DAY) as Instant, to }));
}
