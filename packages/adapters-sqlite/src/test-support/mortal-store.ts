import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@tollgate/adapters-memory';
import type { LedgerAudit } from '@tollgate/core';
import { sqliteQueries, SqlLedgerAudit } from '@tollgate/sql-common';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { type MortalStore, STORE_NOON } from '@tollgate/testkit';
import { GroupCommit } from '../durability/group-commit.js';
import { WriteAheadLog } from '../durability/write-ahead-log.js';
import { openSqliteStore } from '../open-sqlite-store.js';
import { SharedBackgroundReader } from '../reading/background-reader.js';
import { ChangeVersion } from '../reading/cached-state.js';
import { SqliteScriptRunner } from '../reading/sqlite-script-runner.js';
import { openConnection } from '../sqlite-connection.js';

/** Files in memory where there are such: what a dead process leaves is there for the next one all the same. */
const FILES_IN_MEMORY = '/dev/shm';
/** What a killed process leaves of a database. The next process that opens it rebuilds the index of the log. */
const LEFT_BEHIND = ['', '-wal'] as const;

function newFile(): string {
  return join(mkdtempSync(join(existsSync(FILES_IN_MEMORY) ? FILES_IN_MEMORY : tmpdir(), 'tollgate-mortal-')), 'tollgate.db');
}

/** The audit on a connection of its own, without the thread that spares the requests of a gateway: there are none here. */
function auditOf(file: string): { readonly ledgerAudit: LedgerAudit; readonly close: () => void } {
  const connection = openConnection(file);
  const log = new WriteAheadLog(connection);
  const runner = new SqliteScriptRunner(connection, new GroupCommit(connection, log), { changes: new ChangeVersion(connection), backgroundReader: new SharedBackgroundReader(connection.name) });
  const ledgerAudit = new SqlLedgerAudit(sqliteQueries(), {
    read: (script) => runner.read(script), readInSharedThread: (script) => runner.read(script), readInBackground: (script) => runner.read(script), write: (script) => runner.write(script),
  });
  const close = (): void => {
    log.close();
    connection.close();
  };
  return { ledgerAudit, close };
}

async function openMortal(file: string): Promise<MortalStore> {
  const store = await openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS });
  const audit = auditOf(file);
  const close = async (): Promise<void> => {
    audit.close();
    await store.close();
    rmSync(join(file, '..'), { recursive: true, force: true });
  };
  const crash = async (): Promise<MortalStore> => {
    const left = newFile();
    for (const ending of LEFT_BEHIND) if (existsSync(file + ending)) copyFileSync(file + ending, left + ending);
    const survivor = openMortal(left);
    await close();
    return survivor;
  };
  return { ...store, ledgerAudit: audit.ledgerAudit, close, crash };
}

/** A store on a file of its own, whose process can die at any instant: what it had not committed is gone. */
export function openMortalStore(): Promise<MortalStore> {
  return openMortal(newFile());
}
