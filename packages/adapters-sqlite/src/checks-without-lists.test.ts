import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anEnding, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { writeChecksWithoutLists } from './checks-without-lists.js';
import { prepareLedger } from './ledger/statements.js';
import { prepareUsage } from './ledger/usage-statements.js';
import { openConnection, type SqliteConnection } from './sqlite-connection.js';
import { storeFile, type StoreFile } from './test-support/stores.js';
import { UNDO_SINCE_INCIDENT_SETTINGS } from './test-support/undo-steps.js';

const CHECKS = [
  {
    table: 'reservations',
    list: "state in ('held', 'settled', 'released', 'expired')",
    comparisons: "state = 'held' or state = 'settled' or state = 'released' or state = 'expired'",
  },
  {
    table: 'ledger_entries',
    list: "kind in ('top-up', 'charge', 'write-off', 'late-charge', 'late-write-off')",
    comparisons: "kind = 'top-up' or kind = 'charge' or kind = 'write-off' or kind = 'late-charge' or kind = 'late-write-off'",
  },
] as const;

interface Step {
  readonly opcode: string;
}

/** The statements of reserving and settling, as they are written. */
function statementsOf(connection: SqliteConnection): readonly string[] {
  const written: string[] = [];
  const noting = Object.assign(Object.create(connection) as SqliteConnection, {
    prepare: (sql: string) => {
      written.push(sql);
      return connection.prepare(sql);
    },
  });
  prepareLedger(noting);
  prepareUsage(noting);
  return written;
}

/** What SQLite makes for itself in memory each time a statement runs. */
function tablesMadeBy(connection: SqliteConnection, sql: string): readonly string[] {
  const plain = sql.replaceAll(/@\w+/g, '?');
  const steps = connection.prepare<unknown[], Step>(`EXPLAIN ${plain}`).all(...Array.from(plain.matchAll(/\?/g), () => 1));
  return steps.map(({ opcode }) => opcode).filter((opcode) => /Ephemeral|Autoindex|SorterOpen/.test(opcode));
}

describe('the checks of reservations and ledger entries', () => {
  let place: StoreFile;

  beforeEach(async () => {
    place = storeFile();
    const driver = await StoreDriver.start(() => place.open());
    await driver.credit('12');
    await driver.serve(1, anEnding(2));
    await driver.close();
  });

  afterEach(() => {
    place.remove();
  });

  /** Declares the checks as the first schema did, in a database that does not know of the step that came after. */
  function asBefore(): void {
    const direct = new Database(place.file).unsafeMode();
    direct.pragma('writable_schema = ON');
    for (const { table, list, comparisons } of CHECKS) {
      expect(direct.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?').run(comparisons, list, table).changes).toBe(1);
    }
    direct.exec(`${UNDO_SINCE_INCIDENT_SETTINGS}
      DELETE FROM schema_migrations WHERE name >= '0005-checks-without-lists';
      ALTER TABLE usage_records DROP COLUMN reasoning_withheld;
      ALTER TABLE late_settlements DROP COLUMN reasoning_withheld`);
    direct.close();
  }

  function declared(): readonly string[] {
    const direct = new Database(place.file);
    const texts = CHECKS.map(({ table }) => direct.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) as string);
    direct.close();
    return texts;
  }

  it('have SQLite make no table in memory when a request is paid for', () => {
    const connection = openConnection(place.file);
    for (const sql of statementsOf(connection)) expect([sql, tablesMadeBy(connection, sql)]).toEqual([sql, []]);
    connection.close();
  });

  it('are written without lists in an older database, whose rows stay as they are', async () => {
    const [reservations, entries] = declared();
    asBefore();
    expect(declared().join()).toMatch(/ in \('held'.* in \('top-up'/);
    const driver = new StoreDriver(await place.open());
    expect(declared()).toEqual([reservations, entries]);
    expect(await driver.balance()).toBe('10/0/10');
    await driver.serve(2, anEnding(3));
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ differences: [] });
    await driver.close();
    const direct = new Database(place.file);
    expect(direct.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() => direct.exec("UPDATE reservations SET state = 'lost'")).toThrow('CHECK constraint failed');
    direct.close();
  });

  it('are read anew by who had the database open', () => {
    asBefore();
    const [connection, other] = [openConnection(place.file), openConnection(place.file)];
    const release = "UPDATE reservations SET state = 'released' WHERE id = ?";
    // To explain a statement is not to run it, and only what runs notices another schema.
    const tablesMade = (): readonly number[] => [connection, other].map((each) => {
      each.exec('SELECT 1 FROM reservations');
      return tablesMadeBy(each, release).length;
    });
    expect(tablesMade()).toEqual([1, 1]);
    connection.transaction(() => writeChecksWithoutLists(connection)).immediate();
    expect(tablesMade()).toEqual([0, 0]);
    connection.close();
    other.close();
  });

  it('let nobody write to the schema afterwards', () => {
    const connection = openConnection(place.file);
    connection.transaction(() => writeChecksWithoutLists(connection)).immediate();
    connection.pragma('writable_schema = ON');
    expect(() => connection.exec("UPDATE sqlite_schema SET sql = '' WHERE name = 'reservations'")).toThrow('may not be modified');
    connection.close();
  });
});
