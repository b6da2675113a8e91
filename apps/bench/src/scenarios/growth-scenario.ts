import { smallBody } from '../requests/bodies.js';
import { type Growth, growDatabase } from '../seed/grow-database.js';
import type { Surroundings } from '../subjects/subject.js';
import { tollgateEmbedded, type TollgateOptions } from '../subjects/tollgate-subject.js';
import { WHOLE_MODEL } from '../upstream/reply-plan.js';
import type { Scenario } from './scenario.js';
import { measureWhole } from './whole-scenario.js';

/** Accounts that requests come from in turn, in either database. */
const ACTIVE_ACCOUNTS = 500;
const SECONDS = 2;

export interface GrowthOptions {
  readonly surroundings: Surroundings;
  readonly root: string;
  readonly accounts: number;
}

/** What a request costs on a database that has seen years of use, beside one that has not. */
export function growthScenario({ surroundings, root, accounts }: GrowthOptions): Scenario {
  const growth: Growth = { accounts, keys: 2 * accounts, usageRows: 10 * accounts };
  const common = { root, models: [WHOLE_MODEL], accounts: ACTIVE_ACCOUNTS };
  const kinds: readonly TollgateOptions[] = [
    { ...common, id: 'tollgate', title: 'empty database', grow: null },
    { ...common, id: 'tollgate-full', title: `${accounts} accounts, ${growth.keys} keys, ${growth.usageRows} usage rows`, grow: (file) => growDatabase(file, growth) },
  ];
  const title = 'Cost by what is in the database';
  return {
    id: 'growth',
    title,
    run: async (bench) => {
      bench.say(`growth: filling a database for ${accounts} accounts`);
      const subjects = [];
      for (const kind of kinds) subjects.push(await tollgateEmbedded(kind).start({ ...surroundings, folder: `${surroundings.folder}/growth` }));
      const result = await measureWhole({ ...bench, subjects }, {
        id: 'growth', title, body: smallBody(), connections: 32, seconds: SECONDS, warmUpSeconds: 3, subjects: ['tollgate', 'tollgate-full'],
      });
      for (const { process } of subjects) await process.stop();
      return [{ ...result, baseline: 'tollgate' }];
    },
  };
}
