import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Instant } from '@tollgate/core';
import type { World } from './open-world.js';

export interface Copies {
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

/** Adds copies of a request's record, straight by SQL, while no gateway has the database open. They are good for reading alone: there are no ledger entries and sums beside them. */
export function copyRecord({ folder }: World, { requestId, count, from, to }: Copies): void {
  const database = new DatabaseSync(join(folder, 'tollgate.db'), { enableForeignKeyConstraints: false });
  try {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('usage_records').map(({ name }) => String(name)).filter((name) => name !== 'seq');
    const insert = database.prepare(`INSERT INTO usage_records (${columns.join(', ')})
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
      SELECT ${columns.map((name) => OWN[name] ?? name).join(', ')} FROM numbers, (SELECT * FROM usage_records WHERE request_id = @requestId)`);
    insert.run({ '@requestId': requestId, '@count': BigInt(count), '@from': BigInt(from), '@step': BigInt(Math.floor((to - from) / (count + 1))) });
  } finally {
    database.close();
  }
}
