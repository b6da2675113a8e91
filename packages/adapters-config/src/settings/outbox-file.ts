import { join } from 'node:path';
import { assertNever } from '@tollgate/core';
import type { Settings } from './settings.js';

/** Folder for the files of a gateway whose database is PostgreSQL. */
const DATA_FOLDER = 'data';
const IN_MEMORY = ':memory:';

type PlaceSettings = Pick<Settings, 'database' | 'outboxFile' | 'host' | 'port'>;

/**
 * The outbox file of one gateway. By default it is beside an SQLite database, and with PostgreSQL it is named after the gateway's host and port.
 * `null` for a database in memory, or with PostgreSQL if the port is 0 and the settings name no file.
 */
export function outboxFileOf({ database, outboxFile, host, port }: PlaceSettings): string | null {
  switch (database.kind) {
    case 'sqlite': return database.path === IN_MEMORY ? null : outboxFile ?? `${database.path}-outbox`;
    case 'postgres': return outboxFile ?? (port === 0 ? null : join(DATA_FOLDER, `outbox-${host.replaceAll(/[^\w.]/g, '_')}-${port}`));
    default: return assertNever(database);
  }
}

/** File in which the gateway records the newest entries of its database; `null` without an outbox file. */
export function seenEntriesFileOf(settings: PlaceSettings): string | null {
  const outbox = outboxFileOf(settings);
  return outbox === null ? null : `${outbox}-seen`;
}
