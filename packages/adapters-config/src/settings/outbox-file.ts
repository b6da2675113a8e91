import { join } from 'node:path';
import { assertNever } from '@tollgate/core';
import type { Settings } from './settings.js';

/** Where gateways keep what is theirs alone when their database is elsewhere. */
const DATA_FOLDER = 'data';
const IN_MEMORY = ':memory:';

type PlaceSettings = Pick<Settings, 'database' | 'outboxFile' | 'host' | 'port'>;

/** A file that no other gateway uses: beside its own database, or named after its own address. `null` where there is none to name it after. */
export function outboxFileOf({ database, outboxFile, host, port }: PlaceSettings): string | null {
  switch (database.kind) {
    case 'sqlite': return database.path === IN_MEMORY ? null : outboxFile ?? `${database.path}-outbox`;
    case 'postgres': return outboxFile ?? (port === 0 ? null : join(DATA_FOLDER, `outbox-${host.replaceAll(/[^\w.]/g, '_')}-${port}`));
    default: return assertNever(database);
  }
}

/** What the gateway remembers of its database outside of it; beside the outbox. */
export function seenEntriesFileOf(settings: PlaceSettings): string | null {
  const outbox = outboxFileOf(settings);
  return outbox === null ? null : `${outbox}-seen`;
}
