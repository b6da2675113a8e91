import { expect, it } from '@jest/globals';
import { openConnection, type SqliteConnection } from '../file/sqlite-connection.js';
import { storeFile } from '../test-support/stores.js';
import { prepareSettlement } from './statements.js';

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

/** Temporary tables and indexes that SQLite builds each time it executes the statement. */
function tablesBuiltBy(connection: SqliteConnection, sql: string): readonly string[] {
  const plain = sql.replaceAll(/@\w+/g, '?');
  const steps = connection.prepare<unknown[], { readonly opcode: string }>(`EXPLAIN ${plain}`).all(...Array.from(plain.matchAll(/\?/g), () => 1));
  return steps.map(({ opcode }) => opcode).filter((opcode) => /Ephemeral|Autoindex|SorterOpen/.test(opcode));
}

it('SQLite builds no temporary table or index for any statement of a settlement', async () => {
  const place = storeFile();
  await (await place.open()).close();
  const connection = openConnection(place.file);
  const statements = moneyStatements(connection);
  expect(statements.length).toBeGreaterThan(3);
  for (const sql of statements) expect([sql, tablesBuiltBy(connection, sql)]).toEqual([sql, []]);
  connection.close();
  place.remove();
});
