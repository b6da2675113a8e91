import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type DatabasePlace, openStore, type SqlStore } from '@tollgate/adapters-sql';

const ids = new RandomIds();
const clock = new SystemClock();

/** Opens the database as a program beside the gateways, as the command line does. */
export function openBeside(database: DatabasePlace): Promise<SqlStore> {
  return openStore(database, { clock, processId: ids.processId() });
}
