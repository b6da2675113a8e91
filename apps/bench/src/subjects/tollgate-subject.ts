import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import { MeasuredProcess } from '../processes/measured-process.js';
import { seedAccounts } from '../seed/seed-accounts.js';
import { benchCatalogue } from './bench-catalogue.js';
import type { RunningSubject, Subject, SubjectId } from './subject.js';

const START_MILLISECONDS = 60_000;
const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;

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

/** The gateway as `npm start` runs it, on an embedded database of its own, with everything on and its log written to a file. */
export function tollgateEmbedded(options: TollgateOptions): Subject {
  const { id, title, root, models } = options;
  return {
    id,
    title,
    start: async ({ folder, upstreamPort }): Promise<RunningSubject> => {
      const own = join(folder, id);
      mkdirSync(own, { recursive: true });
      const database = join(own, 'tollgate.db');
      const catalogue = join(own, 'catalog.yaml');
      writeFileSync(catalogue, benchCatalogue({ upstreamPort, models }));
      const keys = await prepareDatabase(database, options);
      const startedAt = performance.now();
      const process = MeasuredProcess.start({
        name: id,
        argv: [join(root, 'apps/gateway/dist/main.js')],
        folder: own,
        environment: { PORT: '0', DATABASE_URL: `sqlite:${database}`, CATALOG_FILE: catalogue },
        logFile: join(own, 'gateway.log'),
      });
      const [, port] = await process.printed(READY, START_MILLISECONDS);
      return {
        id, title, port: Number(port), path: '/v1/chat/completions', headers: {}, keys, process, readyMilliseconds: performance.now() - startedAt,
      };
    },
  };
}
