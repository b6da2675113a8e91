import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anEnding, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { allowEntryKinds } from '../../src/schema/migrate-sqlite.js';
import { prepareSettlement } from '../../src/ledger/statements.js';
import { openConnection, type SqliteConnection } from '../../src/file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

/** The schema that an earlier version created. */
const SCHEMA_OF_0024 = readFileSync(join(import.meta.dirname, 'schema-0024.sql'), 'utf8');
const STATES = "check (state = 'held' or state = 'settled' or state = 'released' or state = 'expired')";
const KINDS = ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off', 'signup-credit', 'refund', 'correction', 'forfeiture'];
const COMPARED_KINDS = `check (${KINDS.map((kind) => `kind = '${kind}'`).join(' or ')})`;
const LISTED_KINDS = `check (kind in (${KINDS.map((kind) => `'${kind}'`).join(', ')}))`;

/** The statements that reserve and settle. */
function moneyStatements(connection: SqliteConnection): readonly string[] {
  const written: string[] = [];
  const noting = Object.assign(Object.create(connection) as SqliteConnection, {
    prepare: (sql: string) => {
      written.push(sql);
      return connection.prepare(sql);
    },
  });
  prepareSettlement(noting);
  return written;
}

/** The tables that SQLite builds in memory each time a statement runs. */
function tablesBuiltBy(connection: SqliteConnection, sql: string): readonly string[] {
  const plain = sql.replaceAll(/@\w+/g, '?');
  const steps = connection.prepare<unknown[], { readonly opcode: string }>(`EXPLAIN ${plain}`).all(...Array.from(plain.matchAll(/\?/g), () => 1));
  return steps.map(({ opcode }) => opcode).filter((opcode) => /Ephemeral|Autoindex|SorterOpen/.test(opcode));
}

describe('the checks of reservations and ledger entries', () => {
  let place: StoreFile;

  beforeEach(() => {
    place = storeFile();
  });

  afterEach(() => {
    place.remove();
  });

  function onFile<T>(task: (direct: Database.Database) => T): T {
    const direct = new Database(place.file);
    try {
      return task(direct);
    } finally {
      direct.close();
    }
  }

  function declarationOf(table: string): string {
    return onFile((direct) => direct.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table)) as string;
  }

  /** All that is declared, in one order; SQLite writes quotes around the name of a table that was renamed. */
  function schema(): readonly unknown[] {
    return onFile((direct) => direct.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all());
  }

  async function serveOneRequest(): Promise<void> {
    const driver = await StoreDriver.start(() => place.open());
    await driver.credit('12');
    await driver.serve(1, anEnding(2));
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ differences: [] });
    await driver.close();
  }

  function expectEnforced(): void {
    onFile((direct) => {
      expect(direct.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(direct.pragma('foreign_key_check')).toEqual([]);
      expect(() => direct.exec("UPDATE reservations SET state = 'lost'")).toThrow('CHECK constraint failed');
      expect(() => direct.exec('DELETE FROM ledger_entries')).toThrow('ledger_entries is append-only');
    });
  }

  it('have SQLite build no table when a request is paid for', async () => {
    await serveOneRequest();
    expect(declarationOf('reservations')).toContain(STATES);
    expect(declarationOf('ledger_entries')).toContain(COMPARED_KINDS);
    const connection = openConnection(place.file);
    for (const sql of moneyStatements(connection)) expect([sql, tablesBuiltBy(connection, sql)]).toEqual([sql, []]);
    connection.close();
    expectEnforced();
  });

  it('allow further kinds of entries, and keep the entries with their rules and indexes', async () => {
    await serveOneRequest();
    const [before, entries] = [schema(), onFile((direct) => direct.prepare('SELECT * FROM ledger_entries').all())];
    const connection = openConnection(place.file);
    connection.transaction(() => allowEntryKinds(connection, { earlier: KINDS, allowed: [...KINDS, 'gift'] })).immediate();
    connection.close();
    const unquoted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row).replaceAll('\\"', ''));
    expect(unquoted(schema())).toEqual(unquoted(before).map((row) => row.replace("'forfeiture')", "'forfeiture' or kind = 'gift')")));
    expect(onFile((direct) => direct.prepare('SELECT * FROM ledger_entries').all())).toEqual(entries);
    expectEnforced();
  });

  it('may be lists that another version declared, which further kinds replace by comparisons', async () => {
    await serveOneRequest();
    onFile((direct) => {
      direct.unsafeMode().pragma('writable_schema = ON');
      direct.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'ledger_entries'").run(COMPARED_KINDS, LISTED_KINDS);
    });
    expect(declarationOf('ledger_entries')).toContain(LISTED_KINDS);
    const connection = openConnection(place.file);
    connection.transaction(() => allowEntryKinds(connection, { earlier: KINDS, allowed: [...KINDS, 'gift'] })).immediate();
    connection.close();
    expect(declarationOf('ledger_entries')).toContain(COMPARED_KINDS.replace(')', " or kind = 'gift')"));
    expectEnforced();
  });

  it('are the same in a database of an earlier version as in a new one', async () => {
    await (await place.open()).close();
    const made = schema();
    place.remove();
    place = storeFile();
    onFile((direct) => direct.exec(SCHEMA_OF_0024));
    await (await place.open()).close();
    const unquoted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row).replaceAll('\\"', '').toLowerCase());
    expect(unquoted(schema())).toEqual(unquoted(made));
  });
});
