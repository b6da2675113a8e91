import { ManualClock } from '@tollgate/adapters-memory';
import type { Clock, ProcessId } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { STORE_NOON } from '@tollgate/testkit';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';

const PROCESS = 'process_store' as ProcessId;

/** A whole store in memory: a new database, empty. */
export function storeInMemory(clock: Clock = new ManualClock(STORE_NOON), processId: ProcessId = PROCESS): Promise<SqliteStore> {
  return openSqliteStore({ file: IN_MEMORY, clock, processId });
}
