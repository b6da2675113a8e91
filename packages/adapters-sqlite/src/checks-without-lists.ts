import type { SqliteConnection } from './sqlite-connection.js';

interface Check {
  readonly table: string;
  /** As the schema was declared with. */
  readonly list: string;
  readonly comparisons: string;
}

function comparisonsOf(column: string, values: readonly string[]): string {
  return values.map((value) => `${column} = '${value}'`).join(' or ');
}

function check(table: string, column: string, values: readonly string[]): Check {
  const quoted = values.map((value) => `'${value}'`);
  return { table, list: `${column} in (${quoted.join(', ')})`, comparisons: comparisonsOf(column, values) };
}

const CHECKS: readonly Check[] = [
  check('reservations', 'state', ['held', 'settled', 'released', 'expired']),
  check('ledger_entries', 'kind', ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off']),
];

/**
 * Edits the declarations of tables in a transaction that a migration has begun. It touches no row, so that it takes as long for a large
 * database as for an empty one: the procedure that https://sqlite.org/lang_altertable.html gives for changes that do not touch what is stored.
 */
function editDeclarations(connection: SqliteConnection, edit: () => void): void {
  const version = connection.pragma('schema_version', { simple: true }) as bigint;
  connection.unsafeMode(true);
  try {
    connection.pragma('writable_schema = ON');
    edit();
    // Every connection that has read the schema before, this one among them, reads it again.
    connection.pragma(`schema_version = ${version + 1n}`);
  } finally {
    connection.pragma('writable_schema = OFF');
    connection.unsafeMode(false);
  }
}

/**
 * Writes the lists in the checks of two tables as comparisons, which allow the same values. SQLite makes a table in memory of a list with
 * more than two values, with a cache of its own, whenever it checks a row: three times in a request.
 * A check that reads otherwise stays as it is.
 */
export function writeChecksWithoutLists(connection: SqliteConnection): void {
  editDeclarations(connection, () => {
    const rewrite = connection.prepare<[list: string, comparisons: string, table: string]>(
      "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?");
    for (const { table, list, comparisons } of CHECKS) rewrite.run(list, comparisons, table);
  });
}

/** Lets ledger entries be of more kinds; a check that allows them already stays as it is. */
export function allowEntryKinds(connection: SqliteConnection, kinds: { readonly earlier: readonly string[]; readonly allowed: readonly string[] }): void {
  const [earlier, allowed] = [comparisonsOf('kind', kinds.earlier), comparisonsOf('kind', kinds.allowed)];
  editDeclarations(connection, () => {
    connection.prepare<[allowed: string, earlier: string, earlier: string, allowed: string]>(
      "UPDATE sqlite_schema SET sql = replace(replace(sql, ?, ?), ?, ?) WHERE type = 'table' AND name = 'ledger_entries'",
    ).run(allowed, earlier, earlier, allowed);
  });
}
