import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import { seedAccounts } from '../seed/seed-accounts.js';
import { startTollgate } from './start-tollgate.js';
import type { Subject, SubjectId } from './subject.js';

export interface TollgateOptions {
  readonly id: Extract<SubjectId, 'tollgate' | 'tollgate-full' | 'tollgate-compared'>;
  readonly title: string;
  /** The root of the checkout whose compiled gateway is measured. */
  readonly root: string;
  readonly models: readonly string[];
  /** Keys that requests take in turn, each of an account of its own. */
  readonly accounts: number;
  /** Fills the database further, before the gateway opens it. */
  readonly grow: ((databaseFile: string) => void) | null;
}

async function prepareDatabase(file: string, { accounts, grow }: TollgateOptions): Promise<readonly string[]> {
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
  try {
    return await seedAccounts(store, accounts);
  } finally {
    await store.close();
    grow?.(file);
  }
}

/** The gateway on an embedded database of its own. */
export function tollgateEmbedded(options: TollgateOptions): Subject {
  const { id, title, root, models } = options;
  return {
    id,
    title,
    start: async ({ folder, upstreamPort }) => {
      const own = join(folder, id);
      mkdirSync(own, { recursive: true });
      const database = join(own, 'tollgate.db');
      const keys = await prepareDatabase(database, options);
      return startTollgate({ id, title, root, models, upstreamPort, folder: own, environment: { DATABASE_URL: `sqlite:${database}` }, keys });
    },
  };
}
