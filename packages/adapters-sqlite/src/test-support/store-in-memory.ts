import { ManualClock } from '@tollgate/adapters-memory';
import type { Clock, ProcessId } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { STORE_NOON } from '@tollgate/testkit';
import { openConnection, openCopyInMemory } from '../file/sqlite-connection.js';
import { openStoreOn, type SqliteStore } from '../open-sqlite-store.js';
import { migrateSqlite, SQLITE_MIGRATIONS } from '../schema/migrate-sqlite.js';

const PROCESS = 'process_store' as ProcessId;

async function makeMigratedContents(): Promise<Buffer> {
  const connection = openConnection(IN_MEMORY);
  await migrateSqlite(connection, { migrations: SQLITE_MIGRATIONS, onMigrated: () => undefined });
  const contents = connection.serialize();
  connection.close();
  return contents;
}

let migratedContents: Promise<Buffer> | null = null;

/** Opens a new, empty store in memory. It is a copy of one that each worker migrates once, because a migration takes 18 ms of CPU time. */
export async function storeInMemory(clock: Clock = new ManualClock(STORE_NOON), processId: ProcessId = PROCESS): Promise<SqliteStore> {
  migratedContents ??= makeMigratedContents();
  const connection = openCopyInMemory(await migratedContents);
  return openStoreOn(connection, { file: IN_MEMORY, clock, processId });
}
