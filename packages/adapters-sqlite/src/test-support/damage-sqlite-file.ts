import Database from 'better-sqlite3';

/** Writes past every rule of the schema, as a broken disk or a hand in the file would. */
export function damageSqliteFile(file: string, statements: string): void {
  const direct = new Database(file);
  direct.pragma('foreign_keys = OFF');
  direct.pragma('ignore_check_constraints = ON');
  const triggers = direct.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
  for (const trigger of triggers) direct.exec(`DROP TRIGGER ${String(trigger)}`);
  direct.exec('DROP INDEX ledger_entries_by_reservation');
  direct.exec(statements);
  direct.close();
}
