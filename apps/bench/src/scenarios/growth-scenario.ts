import { smallBody } from '../requests/bodies.js';
import type { Growth } from '../seed/growth.js';
import type { RunningSubject, Surroundings } from '../subjects/subject.js';
import { tollgateEmbedded, type TollgateOptions } from '../subjects/tollgate-subject.js';
import { WHOLE_MODEL } from '../upstream/reply-plan.js';
import type { Bench, Scenario, ScenarioResult } from './scenario.js';
import { measureWhole } from './whole-scenario.js';

/** Accounts that requests come from in turn, in either database; in the full one they lie all over it. */
const ACTIVE_ACCOUNTS = 500;
const SECONDS = 2;

export interface GrowthOptions {
  readonly surroundings: Surroundings;
  readonly root: string;
  readonly accounts: number;
  readonly databaseFile: string | null;
}

const TITLE = 'Cost by what is in the database';

function kindsOf({ root, accounts, databaseFile }: GrowthOptions): readonly TollgateOptions[] {
  const growth: Growth = { accounts, keys: 2 * accounts, usageRows: 10 * accounts };
  const common = { root, models: [WHOLE_MODEL], accounts: ACTIVE_ACCOUNTS };
  return [
    { ...common, id: 'tollgate', title: 'empty database', growth: null, databaseFile: null },
    { ...common, id: 'tollgate-full', title: `${accounts} accounts, ${growth.keys} keys, ${growth.usageRows} usage rows`, growth, databaseFile },
  ];
}

/** How long it took from a gateway's start until it listened. */
function startOf(subjects: readonly RunningSubject[]): ScenarioResult {
  const measurements = subjects.map(({ id, title, readyMilliseconds }) => ({ subject: id, title, round: 1, values: { ready: readyMilliseconds ?? 0 } }));
  return {
    id: 'growth-start', title: 'Start by what is in the database', baseline: 'tollgate',
    figures: [{ id: 'ready', title: 'ready', unit: 'ms', compared: 'ratio' }], measurements,
  };
}

async function measureGrowth(bench: Bench, subjects: readonly RunningSubject[]): Promise<readonly ScenarioResult[]> {
  const result = await measureWhole({ ...bench, subjects }, {
    id: 'growth', title: TITLE, body: smallBody(), connections: 32, seconds: SECONDS, warmUpSeconds: 8, subjects: ['tollgate', 'tollgate-full'],
  });
  return [{ ...result, baseline: 'tollgate' }, startOf(subjects)];
}

/** What a request costs on a database that has seen years of use, beside one that has not. */
export function growthScenario(options: GrowthOptions): Scenario {
  const { surroundings, accounts } = options;
  return {
    id: 'growth',
    title: TITLE,
    run: async (bench) => {
      bench.say(`growth: a database of ${accounts} accounts`);
      const subjects: RunningSubject[] = [];
      for (const kind of kindsOf(options)) subjects.push(await tollgateEmbedded(kind).start({ ...surroundings, folder: `${surroundings.folder}/growth` }));
      const results = await measureGrowth(bench, subjects);
      for (const { process } of subjects) await process.stop();
      return results;
    },
  };
}
