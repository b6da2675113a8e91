import { join } from 'node:path';
import { assertNever } from '@tollgate/core';
import type { Settings } from './settings.js';

/** Folder of gateways on a remote database. */
const DATA_FOLDER = 'data';
const IN_MEMORY = ':memory:';

type PlaceSettings = Pick<Settings, 'database' | 'outboxFile' | 'host' | 'port'>;

/** The outbox file, which belongs to one gateway: beside its database, or named after its address. `null` if it has neither. */
export function outboxFileOf({ database, outboxFile, host, port }: PlaceSettings): string | null {
  switch (database.kind) {
    case 'sqlite': return database.path === IN_MEMORY ? null : outboxFile ?? `${database.path}-outbox`;
    case 'postgres': return outboxFile ?? (port === 0 ? null : join(DATA_FOLDER, `outbox-${host.replaceAll(/[^\w.]/g, '_')}-${port}`));
    default: return assertNever(database);
  }
}

/** File, outside of the database, that remembers the database's newest entries. */
export function seenEntriesFileOf(settings: PlaceSettings): string | null {
  const outbox = outboxFileOf(settings);
  return outbox === null ? null : `${outbox}-seen`;
}
