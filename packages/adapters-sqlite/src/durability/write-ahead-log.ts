import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY } from '@tollgate/sql-common';
import { BUSY_ATTEMPTS, busyPause } from '../file/retry-while-busy.js';
import { fileOf, type SqliteConnection } from '../file/sqlite-connection.js';

/** Flushes committed transactions to the disk; once it resolves, they survive a loss of power. */
export interface CommitLog {
  flush(): Promise<void>;
  /** Why the disk has not taken a part of the log; `null` again once a flush succeeds. */
  readonly failure: Error | null;
}

/** Flushes a file to the disk and reports the failure, or `null`. */
type Sync = (descriptor: number, whenDone: (failure: Error | null) => void) => void;

interface WalCheckpointRow {
  readonly busy: number;
}

/**
 * The write-ahead log of an open database, whose commits end in the log without waiting for the disk (`synchronous=NORMAL`).
 * What SQLite would do itself at the end of each commit is done here, off the event loop and once for many of them. It takes a
 * fraction of the time, too: SQLite also has the file's date of change written, for which the file system commits its own journal.
 */
export class WriteAheadLog implements CommitLog {
  private readonly descriptor: number | null;
  /** While there is one, what follows the part that the disk has not taken would be lost with it. */
  failure: Error | null = null;

  /** The database must have been written to, or there is no log yet. */
  constructor(private readonly connection: SqliteConnection, private readonly sync: Sync = fdatasync, private readonly attempts = BUSY_ATTEMPTS) {
    this.descriptor = connection.name === IN_MEMORY ? null : openLog(`${fileOf(connection)}-wal`);
  }

  /** One at a time. Rejects when the disk takes neither the log nor, in its place, the database itself. */
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

  /** To be called before the connection is closed, with no flush under way. */
  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
  }

  /**
   * Asking again would be answered with success although nothing was written: the system forgets what it could not write.
   * Waits a bounded time for readers, committers and the thread that moves the log.
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

/** The name of a new log has to reach the disk as well, which bringing its contents there does not promise. Windows has no such step. */
function openLog(file: string): number {
  const log = openSync(file, 'r+');
  if (process.platform === 'win32') return log;
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return log;
}
