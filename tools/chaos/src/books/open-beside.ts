import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type DatabaseLocation, Databases, type SqlStore } from '@tollgate/sql-common';

/** Loads adapters and their drivers only when a run needs them. */
const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });
const ids = new RandomIds();
const clock = new SystemClock();

/** Opens the database while a gateway uses it, as the command line does. */
export function openBeside(database: DatabaseLocation): Promise<SqlStore> {
  return databases.open(database, { clock, processId: ids.processId() });
}
