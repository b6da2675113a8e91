import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteStoreOptions } from '@tollgate/sql-common';
import { openConnection } from '../file/sqlite-connection.js';
import { openStoreOn, type SqliteStore } from '../open-sqlite-store.js';
import { migrateSqlite, SQLITE_MIGRATIONS } from '../schema/migrate-sqlite.js';
import { ReaderOfThisThread } from './reader-of-this-thread.js';

/** Opens a store whose long reads run in this thread instead of another. Creates the file with its schema if it is missing. */
export async function openWithoutThread(options: SqliteStoreOptions): Promise<SqliteStore> {
  await placeMigratedFile(options.file);
  return openStoreOn(openConnection(options.file), options, { openReader: (file) => new ReaderOfThisThread(file) });
}

async function makeMigratedFile(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sql-'));
  const file = join(folder, 'tollgate.db');
  const connection = openConnection(file);
  await migrateSqlite(connection, { migrations: SQLITE_MIGRATIONS, onMigrated: () => undefined });
  connection.close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

let migratedFile: Promise<Buffer> | null = null;

/** Copies an empty database with the schema, which is faster than migrating. An existing file is unchanged. */
export async function placeMigratedFile(file: string): Promise<void> {
  migratedFile ??= makeMigratedFile();
  const bytes = await migratedFile;
  if (!existsSync(file)) writeFileSync(file, bytes, { mode: 0o600 });
}
