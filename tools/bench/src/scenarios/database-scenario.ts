import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { smallBody } from '../requests/bodies.js';
import { prepareDatabase } from '../seed/prepare-database.js';
import { type GatewayOnDatabase, startSeveralGateways } from '../subjects/several-gateways.js';
import type { Surroundings } from '../subjects/subject.js';
import { WHOLE_MODEL } from '../upstream/reply-plan.js';
import { curvesIn, type DatabasePoints, databasesOf } from './database-curves.js';
import { ACTIVE_ACCOUNTS, EMPTY_DATABASE, type GrownDatabase, seedingSeconds } from './grown-database.js';
import type { Scenario } from './scenario.js';
import { SMALL_WARM_UP } from './warmth.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-scenario.js';

/** About, for whoever waits. */
const START_SECONDS = 0.7;

export interface DatabaseOptions {
  readonly surroundings: Surroundings;
  readonly root: string;
  readonly points: DatabasePoints;
}

const TITLE = 'Cost by what is in the database';

/** They share what is compiled, and so the time for it. */
function optionsFor(databases: readonly GrownDatabase[]): WholeOptions {
  return {
    id: 'database', title: TITLE, body: smallBody(), connections: 32, seconds: 0.7, subjects: databases.map(({ id }) => id),
    warmUp: { ...SMALL_WARM_UP, gatewaySeconds: Math.max(1, SMALL_WARM_UP.gatewaySeconds / databases.length) },
  };
}

async function filled({ id, title, growth }: GrownDatabase, folder: string): Promise<GatewayOnDatabase> {
  const database = join(folder, `${id}.db`);
  return { id, title, database, keys: await prepareDatabase(database, { accounts: ACTIVE_ACCOUNTS, growth }) };
}

/** What a request costs by how much of one thing the database holds: of accounts, of keys, of usage rows. */
export function databaseScenario({ surroundings, root, points }: DatabaseOptions): Scenario {
  const databases = [EMPTY_DATABASE, ...databasesOf(points)];
  const options = optionsFor(databases);
  return {
    id: 'database',
    title: TITLE,
    expectedSeconds: (pace) => seedingSeconds(databases) + databases.length * START_SECONDS + expectedOfWhole({ ...pace, subjects: databases }, options),
    run: async (bench) => {
      const folder = join(surroundings.folder, 'database');
      mkdirSync(folder, { recursive: true });
      const ready: GatewayOnDatabase[] = [];
      for (const database of databases) {
        bench.say(`database, filling: ${database.title}`);
        ready.push(await filled(database, folder));
      }
      const subjects = await startSeveralGateways(ready, { root, models: [WHOLE_MODEL], upstreamPort: surroundings.upstreamPort, folder });
      const result = await measureWhole({ ...bench, subjects }, options);
      for (const { process } of subjects.slice(0, 1)) await process.stop();
      return curvesIn(result);
    },
  };
}
