import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StoreLost, storeRefusal } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { fileOf, type SqliteConnection } from './sqlite-connection.js';

/** A database file that others may delete or replace while it is open. */
export interface WatchedFile {
  /** Throws `service_unavailable` while another file, or none, is in its place; believes the last check. */
  assertInPlace(): void;
  /** Looks, and throws likewise. */
  check(): Promise<void>;
}

/** Which file a path stands for, whatever its name; `null`: none. */
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
 * The files of an open database. SQLite goes on writing to a file that was deleted or replaced, and all of it is lost when the
 * process ends; and other processes that open the new one share neither its locks nor its log.
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

/** To be called once the database has been written to, so that its log is there. */
export async function watchDatabaseFile(connection: SqliteConnection): Promise<WatchedFile> {
  if (connection.name === IN_MEMORY) return NO_FILE;
  const file = fileOf(connection);
  const paths = [resolve(connection.name), `${file}-wal`, `${file}-shm`];
  return new OpenDatabaseFile(new Map(await Promise.all(paths.map(async (path) => [path, await identityOf(path)] as const))));
}
