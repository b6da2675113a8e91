import type { SqliteConnection } from './sqlite-connection.js';

interface Check {
  readonly table: string;
  /** As the schema was declared with. */
  readonly list: string;
  readonly comparisons: string;
}

function check(table: string, column: string, values: readonly string[]): Check {
  const quoted = values.map((value) => `'${value}'`);
  return { table, list: `${column} in (${quoted.join(', ')})`, comparisons: quoted.map((value) => `${column} = ${value}`).join(' or ') };
}

const CHECKS: readonly Check[] = [
  check('reservations', 'state', ['held', 'settled', 'released', 'expired']),
  check('ledger_entries', 'kind', ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off']),
];

/**
 * Writes the lists in the checks of two tables as comparisons, which allow the same values. SQLite makes a table in memory of a list with
 * more than two values, with a cache of its own, whenever it checks a row: three times in a request.
 * A check that reads otherwise stays as it is. Runs in the migration's transaction and touches no row, so that it takes as long for a large
 * database as for an empty one: the procedure that https://sqlite.org/lang_altertable.html gives for changes that do not touch what is stored.
 */
export function writeChecksWithoutLists(connection: SqliteConnection): void {
  const version = connection.pragma('schema_version', { simple: true }) as bigint;
  connection.unsafeMode(true);
  try {
    connection.pragma('writable_schema = ON');
    const rewrite = connection.prepare<[list: string, comparisons: string, table: string]>(
      "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?");
    for (const { table, list, comparisons } of CHECKS) rewrite.run(list, comparisons, table);
    // Whoever has read the schema before, this connection among them, reads it again.
    connection.pragma(`schema_version = ${version + 1n}`);
  } finally {
    connection.pragma('writable_schema = OFF');
    connection.unsafeMode(false);
  }
}
