import type { Growth } from '../seed/grow-database.js';
import type { RunningSubject, SubjectId, Surroundings } from '../subjects/subject.js';
import { smallBody } from '../load/requests.js';
import { tollgateEmbedded } from '../subjects/tollgate.js';
import { WHOLE_MODEL } from '../upstream/replies.js';
import { type Bench, type Scenario, SMALL_WARM_UP } from './scenario.js';
import { expectedOfWhole, measureWhole, type WholeOptions } from './whole-requests.js';

/** A database to measure on: what it holds, and what it is called. */
interface GrownDatabase {
  readonly id: Extract<SubjectId, `tollgate${string}`>;
  readonly title: string;
  readonly growth: Growth;
}

/** Accounts that requests come from in turn, on every database; where there are more, they lie all over it. */
const ACTIVE_ACCOUNTS = 500;

/** Holds what the load itself needs, and nothing else; what all others are compared with. */
const EMPTY_DATABASE = {
  id: 'tollgate', title: 'empty database', growth: { accounts: ACTIVE_ACCOUNTS, keys: ACTIVE_ACCOUNTS, usageRows: 0 },
} as const satisfies GrownDatabase;

/** A number of things in words, such as `10,000 keys`. */
export function counted(count: number, things: string): string {
  return `${count.toLocaleString('en-US')} ${things}`;
}

/** An estimate for the progress display. */
const ROWS_SEEDED_PER_SECOND = 60_000;

/** About how long it takes to fill databases. */
function seedingSeconds(databases: readonly GrownDatabase[]): number {
  return databases.reduce((sum, { growth: { accounts, keys, usageRows } }) => sum + accounts + keys + usageRows, 0) / ROWS_SEEDED_PER_SECOND;
}

/** An estimate for the progress display. */
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
    const { id, title, growth } = database;
    const file = id === 'tollgate-full' ? databaseFile : null;
    const gateway = tollgateEmbedded({ id, title, root, models: [WHOLE_MODEL], grown: { growth, accounts: ACTIVE_ACCOUNTS, file } });
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
