import {
  compareSteps, databaseNameOf, DatabaseUnavailableError, MIGRATION_TABLE, MissingDatabaseError, postgresQueries, requireCurrentSchema, type Script, type ScriptRunner, SqlAuditTrail, SqlLedgerAudit, SqlRequestBooks, SqlStatementRecords, SqlStoreHistory,
  type StoreReader, UnusableSchemaError,
} from '@tollgate/sql-common';
import type { Client } from 'pg';
import { openClient } from './connection/open-client.js';
import { sessionOn } from './connection/session.js';
import { withTimeout } from './connection/with-timeout.js';
import { readThrough } from './postgres-script-runner.js';
import { POSTGRES_MIGRATIONS } from './schema/migrate-postgres.js';

async function requireSchema(client: Client, place: string): Promise<void> {
  const { rows: tables } = await client.query(`select 1 where to_regclass('${MIGRATION_TABLE}') is not null`);
  if (tables.length === 0) throw new MissingDatabaseError(place);
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE}`);
  requireCurrentSchema(place, compareSteps(rows.map(({ name }) => name), Object.keys(POSTGRES_MIGRATIONS)));
}

function readerOver(client: Client): StoreReader {
  const queries = postgresQueries();
  const read = <T>(script: () => Script<T>): Promise<T> => readThrough(sessionOn(client), script());
  const write = (): Promise<never> => Promise.reject(new Error('the database is open for reading only'));
  const runner: ScriptRunner = { read, readInSharedThread: (_holder, script) => read(script), readInBackground: read, write };
  return {
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    statements: new SqlStatementRecords(queries, runner, 'database'),
    auditTrail: new SqlAuditTrail(queries, runner),
    books: new SqlRequestBooks(queries, runner),
    history: new SqlStoreHistory(queries, runner, () => undefined),
    damage: () => Promise.resolve([]),
    close: () => withTimeout(client.end()),
  };
}

/**
 * Opens one connection, which may be to a standby. Throws `MissingDatabaseError`, `UnusableSchemaError` for another schema version, and otherwise
 * `DatabaseUnavailableError` with the driver's message.
 */
export async function openPostgresReader(url: string): Promise<StoreReader> {
  const place = databaseNameOf(url);
  let client: Client | null = null;
  try {
    client = await openClient(url, 'long');
    await requireSchema(client, place);
    return readerOver(client);
  } catch (thrown) {
    await withTimeout(client?.end() ?? Promise.resolve());
    const isOwn = thrown instanceof MissingDatabaseError || thrown instanceof UnusableSchemaError;
    throw isOwn ? thrown : new DatabaseUnavailableError(place, thrown);
  }
}
