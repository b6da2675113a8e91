import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import { type Growth, growDatabase, grownAccountId } from '../seed/grow-database.js';
import { seedAccounts, seedKeys, type SeededStore } from '../seed/seed-accounts.js';
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
  /** What the database holds besides; `null` for a new one. Then the keys are those of accounts all over it. */
  readonly growth: Growth | null;
  /** Where the database is kept, and taken from when it is there; `null` for one that goes with the bench. */
  readonly databaseFile: string | null;
}

async function withStore<Result>(file: string, work: (store: SeededStore) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Makes the database as the options want it, and returns keys of accounts in it. */
async function prepareDatabase(file: string, { accounts, growth }: TollgateOptions): Promise<readonly string[]> {
  if (growth === null) return withStore(file, (store) => seedAccounts(store, accounts));
  if (!existsSync(file)) {
    await withStore(file, async () => {});
    growDatabase(file, growth);
  }
  const ids = Array.from({ length: accounts }, (_none, position) => grownAccountId(Math.floor((position * growth.accounts) / accounts)));
  return withStore(file, (store) => seedKeys(store, ids));
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
      // The gateway runs in a folder of its own, so that a path has to say all of it.
      const database = resolve(options.databaseFile ?? join(own, 'tollgate.db'));
      const keys = await prepareDatabase(database, options);
      return startTollgate({ id, title, root, models, upstreamPort, folder: own, environment: { DATABASE_URL: `sqlite:${database}` }, keys });
    },
  };
}
