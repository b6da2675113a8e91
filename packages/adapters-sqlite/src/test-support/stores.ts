import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { type DamageableStore, type FillStore, STORE_PROCESS } from '@tollgate/sql-common/testing';
import { type MortalStore, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';
import { READING_MILLISECONDS } from '../reading/change-version.js';
import { openWithoutThread, placeMigratedFile } from './open-without-thread.js';

export interface StoreFile {
  readonly file: string;
  /** Opens a store as this process. Long reads run in the calling thread. */
  open(processId?: ProcessId): Promise<SqliteStore>;
  /** Opens a store as programs do, with long reads in another thread. */
  openWithThread(): Promise<SqliteStore>;
  remove(): void;
}

/** A database file in a new folder. Stores on it check for changes by other processes at every read. */
export function storeFile(): StoreFile {
  let milliseconds = 0;
  const elapsed = (): number => (milliseconds += READING_MILLISECONDS);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sql-'));
  const file = join(folder, 'tollgate.db');
  return {
    file,
    open: (processId = STORE_PROCESS) => openWithoutThread({ file, clock: new ManualClock(STORE_NOON), processId, elapsed }),
    openWithThread: async () => {
      await placeMigratedFile(file);
      return openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS, elapsed });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function storeOnFile(): Promise<SqliteStore> {
  const place = storeFile();
  const store = await place.open();
  const close = async (): Promise<void> => {
    await store.close();
    place.remove();
  };
  return { ...store, close };
}

/** A file system in memory, used if available. Its files survive the death of a process too. */
const FILES_IN_MEMORY = '/dev/shm';
/** Suffixes of the files to copy. The next process rebuilds the index of the log. */
const LEFT_BEHIND = ['', '-wal'] as const;

function newFile(): string {
  return join(mkdtempSync(join(existsSync(FILES_IN_MEMORY) ? FILES_IN_MEMORY : tmpdir(), 'tollgate-mortal-')), 'tollgate.db');
}

async function openMortal(file: string): Promise<MortalStore> {
  const store = await openWithoutThread({ file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS });
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(join(file, '..'), { recursive: true, force: true });
  };
  const crash = async (): Promise<MortalStore> => {
    const left = newFile();
    for (const ending of LEFT_BEHIND) if (existsSync(file + ending)) cpSync(file + ending, left + ending);
    const survivor = openMortal(left);
    await close();
    return survivor;
  };
  return { ...store, close, crash };
}

/** Opens a store whose process can die at any time, losing operations that are not committed. */
export function openMortalStore(): Promise<MortalStore> {
  return openMortal(newFile());
}

/** A store on a new file, filled by `fill`, whose rules tests can break. */
export async function damageableStore(fill: FillStore): Promise<DamageableStore> {
  const place = storeFile();
  const store = await place.open();
  await fill(store);
  return { store, damage: (statement) => damageSqliteFile(place.file, statement), remove: () => place.remove() };
}

/** Runs the statements after dropping the rules of the schema. */
export function damageSqliteFile(file: string, statements: string): void {
  const direct = new Database(file);
  direct.pragma('foreign_keys = OFF');
  direct.pragma('ignore_check_constraints = ON');
  const triggers = direct.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
  for (const trigger of triggers) direct.exec(`DROP TRIGGER ${String(trigger)}`);
  direct.exec('DROP INDEX IF EXISTS ledger_entries_by_reservation');
  direct.exec(statements);
  direct.close();
}
