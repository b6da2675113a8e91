import type { Settings } from '@tollgate/adapters-config';
import { Databases, MemoryDatabaseError, MissingDatabaseError, type SqlStore, type StoreOptions } from '@tollgate/sql-common';
import { CommandFailure } from './command-failure.js';

/** Loads an adapter and its driver when a database of that kind is opened. */
export const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });

export const IN_MEMORY_ONLY = 'DATABASE_URL names a database in memory, which exists only while its gateway runs';

/** Opens the database of the settings. If it is missing, the failure names the command that creates it. */
export function openDatabase({ database }: Settings, options: StoreOptions): Promise<SqlStore> {
  return namingCreation(databases.open(database, options));
}

export async function namingCreation<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    if (thrown instanceof MemoryDatabaseError) throw new CommandFailure(IN_MEMORY_ONLY);
    if (!(thrown instanceof MissingDatabaseError)) throw thrown;
    throw new CommandFailure(`${thrown.message} (DATABASE_URL); \`tollgate database create\` creates one`);
  }
}
