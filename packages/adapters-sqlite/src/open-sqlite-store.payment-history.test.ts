import { SqlPaymentRecords, sqliteQueries } from '@tollgate/sql-common';
import { historyExtent, paymentHistoryContract } from '@tollgate/testkit';
import { cutScript, dyingRunner, OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { openConnection } from './file/sqlite-connection.js';
import { ScriptExecutor } from './reading/script-executor.js';
import { storeFile } from './test-support/stores.js';

function dying(file: string, statements: number): SqlPaymentRecords {
  return new SqlPaymentRecords(sqliteQueries(), dyingRunner(async (script) => {
    const connection = openConnection(file);
    try {
      connection.exec('BEGIN IMMEDIATE');
      return new ScriptExecutor(connection).run(cutScript(script(), statements));
    } finally {
      connection.close();
    }
  }));
}

paymentHistoryContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return { ...paymentsOver(store, await place.open(OTHER_PROCESS), () => place.remove()), dying: (statements) => dying(place.file, statements) };
}, historyExtent('payments', 12));
