import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY } from '@tollgate/sql-common';
import { BUSY_ATTEMPTS, busyPause } from '../file/retry-while-busy.js';
import { fileOf, type SqliteConnection } from '../file/sqlite-connection.js';

export interface CommitLog {
  /** Once it resolves, committed transactions survive a power failure. */
  flush(): Promise<void>;
  /** Failure of the last sync; `null` after a success. */
  readonly failure: Error | null;
}

/** Syncs a file, and calls `whenDone` with the failure, or `null`. */
type Sync = (descriptor: number, whenDone: (failure: Error | null) => void) => void;

interface WalCheckpointRow {
  readonly busy: number;
}

/**
 * Syncs the WAL of a database with `synchronous=NORMAL`, off the event loop and for many commits at once. Faster than SQLite's own sync,
 * which also writes the file's modification time, for which the file system commits its journal.
 */
export class WriteAheadLog implements CommitLog {
  private readonly descriptor: number | null;
  /** Until it is `null` again, later commits could be lost too. */
  failure: Error | null = null;

  /** Create it after the first write, when the log exists. */
  constructor(private readonly connection: SqliteConnection, private readonly sync: Sync = fdatasync, private readonly attempts = BUSY_ATTEMPTS) {
    this.descriptor = connection.name === IN_MEMORY ? null : openLog(`${fileOf(connection)}-wal`);
  }

  /** Must not be called while another flush runs. Rejects if neither the log nor the database file can be synced. */
  flush(): Promise<void> {
    const { descriptor } = this;
    if (descriptor === null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.sync(descriptor, (failure) => {
        if (failure !== null) this.failure = failure;
        if (this.failure === null) resolve();
        else this.beginAnew().then(resolve, (thrown: unknown) => reject(failure ?? thrown));
      });
    });
  }

  /** Call it before the connection is closed, without a running flush. */
  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
  }

  /**
   * A second sync would succeed although data was dropped, because the kernel forgets failed writes. Therefore everything is checkpointed to the
   * database file, after a bounded wait for readers, commits and the checkpoint thread.
   */
  private async beginAnew(): Promise<void> {
    for (let attempt = 0; !this.isTruncated(); attempt += 1) {
      if (attempt >= this.attempts) throw new Error('the write-ahead log could not be checkpointed because other connections use the database');
      await delay(busyPause(attempt));
    }
    this.failure = null;
  }

  private isTruncated(): boolean {
    const [row] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as readonly WalCheckpointRow[];
    return row !== undefined && BigInt(row.busy) === 0n;
  }
}

/** Opens the log, and syncs its folder, which syncing a file does not. Windows has no such step. */
function openLog(file: string): number {
  const log = openSync(file, 'r+');
  if (process.platform === 'win32') return log;
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return log;
}
