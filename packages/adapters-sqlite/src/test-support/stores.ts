import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { STORE_NOON } from '@tollgate/testkit';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';
import { READING_MILLISECONDS } from '../reading/cached-state.js';

export interface StoreFile {
  readonly file: string;
  /** Opens a store on the file, as a process of the given name. */
  open(processId?: ProcessId): Promise<SqliteStore>;
  remove(): void;
}

/** A folder of its own for one database. Every read comes late enough to see the changes of other processes. */
export function storeFile(): StoreFile {
  let milliseconds = 0;
  const elapsed = (): number => (milliseconds += READING_MILLISECONDS);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sql-'));
  const file = join(folder, 'tollgate.db');
  return {
    file,
    open: (processId = STORE_PROCESS) => openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId, elapsed }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A store on a file that goes with it. */
export async function storeOnFile(): Promise<SqliteStore> {
  const place = storeFile();
  const store = await place.open();
  const close = async (): Promise<void> => {
    await store.close();
    place.remove();
  };
  return { ...store, close };
}

export function storeInMemory(): Promise<SqliteStore> {
  return openSqliteStore({ file: ':memory:', clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS });
}
