import { smallBody } from '../requests/bodies.js';
import type { Growth } from '../seed/growth.js';
import type { RunningSubject, Surroundings } from '../subjects/subject.js';
import { tollgateEmbedded } from '../subjects/tollgate-subject.js';
import { WHOLE_MODEL } from '../upstream/reply-plan.js';
import { ACTIVE_ACCOUNTS, counted, EMPTY_DATABASE, type GrownDatabase, seedingSeconds } from './grown-database.js';
import type { Bench, Scenario } from './scenario.js';
import { SMALL_WARM_UP } from './warmth.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-scenario.js';

/** About, for whoever waits. */
const START_SECONDS = 2;

export interface GrowthOptions {
  readonly surroundings: Surroundings;
  readonly root: string;
  readonly accounts: number;
  readonly databaseFile: string | null;
}

const TITLE = 'Cost of a database that has seen much';

const OPTIONS: WholeOptions = {
  id: 'growth', title: TITLE, body: smallBody(), connections: 32, seconds: 1, warmUp: SMALL_WARM_UP, subjects: ['tollgate', 'tollgate-full'],
};

/** Two keys and ten requests for each account. */
function fullDatabase(accounts: number): GrownDatabase {
  const growth: Growth = { accounts, keys: 2 * accounts, usageRows: 10 * accounts };
  const title = `${counted(accounts, 'accounts')}, ${counted(growth.keys, 'keys')}, ${counted(growth.usageRows, 'usage rows')}`;
  return { id: 'tollgate-full', title, growth };
}

async function startBoth(bench: Bench, databases: readonly GrownDatabase[], { surroundings, root, databaseFile }: GrowthOptions): Promise<readonly RunningSubject[]> {
  const subjects: RunningSubject[] = [];
  for (const database of databases) {
    bench.say(`growth, filling and starting: ${database.title}`);
    const file = database.id === 'tollgate-full' ? databaseFile : null;
    const gateway = tollgateEmbedded({ ...database, root, models: [WHOLE_MODEL], accounts: ACTIVE_ACCOUNTS, databaseFile: file });
    subjects.push(await gateway.start({ ...surroundings, folder: `${surroundings.folder}/growth` }));
  }
  return subjects;
}

/** What a request costs on a database that has seen years of use, beside one that has not. */
export function growthScenario(options: GrowthOptions): Scenario {
  const databases = [EMPTY_DATABASE, fullDatabase(options.accounts)];
  return {
    id: 'growth',
    title: TITLE,
    expectedSeconds: (pace) => seedingSeconds(databases) + databases.length * START_SECONDS + expectedOfWhole({ ...pace, subjects: databases }, OPTIONS),
    run: async (bench) => {
      const subjects = await startBoth(bench, databases, options);
      const result = await measureWhole({ ...bench, subjects }, OPTIONS);
      for (const { process } of subjects) await process.stop();
      return [{ ...result, baseline: 'tollgate' }];
    },
  };
}
