import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StoreLost, storeRefusal } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { fileOf, type SqliteConnection } from './sqlite-connection.js';

/** A database file that may be deleted or replaced while open. */
export interface WatchedFile {
  /** Throws `service_unavailable` if the last check found that the file was replaced or is missing. */
  assertInPlace(): void;
  /** Checks the file. Throws `service_unavailable` if it was replaced or is missing. */
  check(): Promise<void>;
}

/** Device and inode of a file; `null` if it is missing. */
type Identity = string | null;

export const NO_FILE: WatchedFile = { assertInPlace: () => undefined, check: () => Promise.resolve() };

async function identityOf(path: string): Promise<Identity> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/**
 * Detects that the files of an open database were deleted or replaced. SQLite would keep writing to the old file, which disappears when it is closed.
 * Other processes would open the new file, without sharing locks or log.
 */
class OpenDatabaseFile implements WatchedFile {
  #loss: StoreLost | null = null;

  constructor(private readonly identities: ReadonlyMap<string, Identity>) {}

  assertInPlace(): void {
    if (this.#loss !== null) throw storeRefusal(this.#loss);
  }

  async check(): Promise<void> {
    this.#loss = await this.findLoss();
    this.assertInPlace();
  }

  private async findLoss(): Promise<StoreLost | null> {
    for (const [path, identity] of this.identities) {
      const found = await identityOf(path);
      if (found !== identity) return new StoreLost(`${path} was ${found === null ? 'deleted' : 'replaced'} while it is in use; put it back, or restart the gateway`);
    }
    return null;
  }
}

/** The connection must have written before, because the log must exist. */
export async function watchDatabaseFile(connection: SqliteConnection): Promise<WatchedFile> {
  if (connection.name === IN_MEMORY) return NO_FILE;
  const file = fileOf(connection);
  const paths = [resolve(connection.name), `${file}-wal`, `${file}-shm`];
  return new OpenDatabaseFile(new Map(await Promise.all(paths.map(async (path) => [path, await identityOf(path)] as const))));
}
