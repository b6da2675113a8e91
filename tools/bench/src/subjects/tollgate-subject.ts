import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DatabaseContents, prepareDatabase } from '../seed/prepare-database.js';
import { startTollgate } from './start-tollgate.js';
import type { Subject, SubjectId } from './subject.js';

export interface TollgateOptions extends DatabaseContents {
  readonly id: Extract<SubjectId, `tollgate${string}`>;
  readonly title: string;
  /** The root of the checkout whose compiled gateway is measured. */
  readonly root: string;
  readonly models: readonly string[];
  /** Where the database is kept, and taken from when it is there; `null` for one that goes with the bench. */
  readonly databaseFile: string | null;
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
