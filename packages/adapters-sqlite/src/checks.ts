import type { SqliteConnection } from './sqlite-connection.js';

/** The kinds that the check of `ledger_entries` names, before and after a step. */
export interface EntryKinds {
  readonly earlier: readonly string[];
  readonly allowed: readonly string[];
}

function listOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`;
}

/** How versions before step `0025-plain-checks` declared the same check. */
function comparisonsOf(column: string, values: readonly string[]): string {
  return values.map((value) => `${column} = '${value}'`).join(' or ');
}

function declarationOf(connection: SqliteConnection, table: string): string {
  return connection.prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table) ?? '';
}

/**
 * Lets ledger entries be of more kinds. SQLite cannot change a check, so a new table replaces the old one and takes over its rows,
 * as https://sqlite.org/lang_altertable.html describes; no other table refers to it.
 */
export function allowEntryKinds(connection: SqliteConnection, { earlier, allowed }: EntryKinds): void {
  const declaration = declarationOf(connection, 'ledger_entries');
  const changed = declaration.replace(comparisonsOf('kind', earlier), () => listOf('kind', earlier)).replace(listOf('kind', earlier), () => listOf('kind', allowed));
  if (changed === declaration || declaration.includes(comparisonsOf('kind', allowed))) return;
  const dependents = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE tbl_name = 'ledger_entries' AND type <> 'table' AND sql IS NOT NULL").pluck().all();
  connection.exec(changed.replace(/ledger_entries/, 'ledger_entries_new'));
  connection.exec('INSERT INTO ledger_entries_new SELECT * FROM ledger_entries');
  connection.exec('DROP TABLE ledger_entries');
  connection.exec('ALTER TABLE ledger_entries_new RENAME TO ledger_entries');
  for (const dependent of dependents) connection.exec(dependent);
}

/** The checks that versions before step `0025-plain-checks` rewrote. */
const REWRITTEN: readonly (readonly [table: string, column: string, values: readonly string[]])[] = [
  ['reservations', 'state', ['held', 'settled', 'released', 'expired']],
  ['ledger_entries', 'kind', ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off', 'signup-credit', 'refund', 'correction', 'forfeiture']],
];

/**
 * Declares the checks as lists again in a database where an earlier version rewrote them as comparisons, and touches no other. Only the declaration
 * changes and no row, since both forms allow the same values: https://sqlite.org/lang_altertable.html permits that without copying the table.
 */
export function restorePlainChecks(connection: SqliteConnection): void {
  const rewritten = REWRITTEN.filter(([table, column, values]) => declarationOf(connection, table).includes(comparisonsOf(column, values)));
  if (rewritten.length === 0) return;
  const version = connection.pragma('schema_version', { simple: true }) as bigint;
  connection.unsafeMode(true);
  try {
    connection.pragma('writable_schema = ON');
    const rewrite = connection.prepare<[comparisons: string, list: string, table: string]>(
      "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?");
    for (const [table, column, values] of rewritten) rewrite.run(comparisonsOf(column, values), listOf(column, values), table);
    // Every connection that has read the schema before, this one among them, reads it again.
    connection.pragma(`schema_version = ${version + 1n}`);
  } finally {
    connection.pragma('writable_schema = OFF');
    connection.unsafeMode(false);
  }
}
