import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anEnding, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { allowEntryKinds } from '../../src/migrate-sqlite.js';
import { openConnection } from '../../src/sqlite-connection.js';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

/** What a version before step `0025-plain-checks` made of an empty file. */
const SCHEMA_OF_0024 = readFileSync(join(import.meta.dirname, 'schema-0024.sql'), 'utf8');
const STATES = "check (state in ('held', 'settled', 'released', 'expired'))";
const KINDS = "check (kind in ('top-up', 'charge', 'write-off', 'late-charge', 'late-write-off', 'signup-credit', 'refund', 'correction', 'forfeiture'))";

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

  it('are plain lists in a new database', async () => {
    await serveOneRequest();
    expect(declarationOf('reservations')).toContain(STATES);
    expect(declarationOf('ledger_entries')).toContain(KINDS);
    expectEnforced();
  });

  it('become plain lists in a database that an earlier version made, whose rows stay as they are', async () => {
    onFile((direct) => {
      direct.pragma('journal_mode = WAL');
      direct.exec(SCHEMA_OF_0024);
      expect(() => direct.exec("INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, at, day) VALUES ('gift', 'a', 'b', 1, 1, '')")).toThrow('CHECK');
    });
    expect(declarationOf('reservations')).not.toContain(STATES);
    await serveOneRequest();
    const driver = new StoreDriver(await place.open());
    expect(await driver.balance()).toBe('10/0/10');
    await driver.close();
    expect(declarationOf('reservations')).toContain(STATES);
    expect(declarationOf('ledger_entries')).toContain(KINDS);
    expectEnforced();
  });

  it('allow further kinds of entries, and keep the entries with their rules and indexes', async () => {
    await serveOneRequest();
    const [before, entries] = [schema(), onFile((direct) => direct.prepare('SELECT * FROM ledger_entries').all())];
    const connection = openConnection(place.file);
    const earlier = [...KINDS.matchAll(/'([^']+)'/g)].map(([, kind = '']) => kind);
    connection.transaction(() => allowEntryKinds(connection, { earlier, allowed: [...earlier, 'gift'] })).immediate();
    connection.close();
    const unquoted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row).replaceAll('\\"', ''));
    expect(unquoted(schema())).toEqual(unquoted(before).map((row) => row.replace("'forfeiture')", "'forfeiture', 'gift')")));
    expect(onFile((direct) => direct.prepare('SELECT * FROM ledger_entries').all())).toEqual(entries);
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
