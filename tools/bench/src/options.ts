import { parseArgs } from 'node:util';
import { type OptionsReading, readingOf } from '@tollgate/kit';

export interface BenchOptions {
  /** `quick` makes fewer and shorter rounds; `full` makes more, and includes the long scenarios. */
  readonly extent: 'quick' | 'usual' | 'full';
  /** Ids of the scenarios to run; if empty, `extent` selects them. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** Rounds of scenarios whose measurements take seconds: latencies and streams. */
  readonly longRounds: number;
  readonly secondsFactor: number;
  readonly jsonFile: string | null;
  readonly profileFolder: string | null;
  readonly peers: boolean;
  /** True to measure pass-throughs that also parse or wait for the disk, which show what is attainable. */
  readonly bounds: boolean;
  /** Folder of a compiled checkout, or a commit, which the bench builds. */
  readonly compareWith: string | null;
  /** Number of accounts in the full database of the growth scenario; each has two keys and ten usage records. */
  readonly growthAccounts: number;
  /** Number of records in the larger database of the scenario `usage`. */
  readonly usageRecords: number;
  /** Where the full database is kept for later runs; `null` to delete it. */
  readonly fullDatabase: string | null;
}

/** The commit of `--compare standing`. It stays the same, so that several small regressions add up to one that can be seen. */
export const STANDING_COMMIT = '1e4a6ffd';

export const HELP = `Measures Tollgate beside servers that only pass requests on. Takes about five minutes.

npm run bench -- [options]

  --quick              about four minutes: fewer and shorter rounds
  --full               about half an hour: more rounds, three minutes of 1,000 streams, a database of a million accounts
  --only NAME[,NAME]   only these: start, small, latency, streams, agent, large, messages, formats, growth, usage, shared, estimator, fresh, soak
  --rounds N           number of rounds (default 5, quick 3, full 9; for latencies and streams 3, 2, 5)
  --seconds FACTOR     multiplies the duration of every measurement, but not of warm-ups (default 1, quick 0.6)
  --growth ACCOUNTS    accounts in the full database (default 20000, quick 10000, full 1000000)
  --usage RECORDS      usage records beside 100,000 in the scenario usage (default 1000000, quick 300000, full 10000000)
  --database FILE      the full database: used if it exists, and kept; that of the scenario usage is FILE.usage-year
  --json FILE          writes every figure of every round
  --profile FOLDER     writes a CPU profile of the gateway for each scenario
  --compare WHAT       measures another gateway too: that of a compiled checkout (a folder), or of a commit, which is built for this run;
                       standing: commit ${STANDING_COMMIT}
  --peers              installs @portkey-ai/gateway to a temporary folder and measures it too
  --bounds             also measures two more pass-throughs: one parses and prints each body (agent, large), one waits for the disk before each response (latency)
  --help               prints this
`;

const DEFAULTS = {
  quick: { rounds: 3, longRounds: 2, secondsFactor: 0.6, growthAccounts: 10_000, usageRecords: 300_000 },
  usual: { rounds: 5, longRounds: 3, secondsFactor: 1, growthAccounts: 20_000, usageRecords: 1_000_000 },
  full: { rounds: 9, longRounds: 5, secondsFactor: 1, growthAccounts: 1_000_000, usageRecords: 10_000_000 },
} as const;

function positive(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`${text} is not a number above 0`);
  return value;
}

function extentOf(values: { readonly quick: boolean; readonly full: boolean }): BenchOptions['extent'] {
  if (values.quick && values.full) throw new Error('--quick and --full exclude each other');
  if (values.quick) return 'quick';
  return values.full ? 'full' : 'usual';
}

function parse(argv: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false }, full: { type: 'boolean', default: false }, peers: { type: 'boolean', default: false }, bounds: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }, only: { type: 'string' }, rounds: { type: 'string' }, seconds: { type: 'string' },
      growth: { type: 'string' }, usage: { type: 'string' }, database: { type: 'string' }, json: { type: 'string' }, profile: { type: 'string' }, compare: { type: 'string' },
    },
  });
  if (values.help) return null;
  const extent = extentOf(values);
  const defaults = DEFAULTS[extent];
  return {
    extent,
    only: values.only === undefined ? [] : values.only.split(','),
    rounds: Math.ceil(positive(values.rounds, defaults.rounds)),
    longRounds: Math.ceil(positive(values.rounds, defaults.longRounds)),
    secondsFactor: positive(values.seconds, defaults.secondsFactor),
    jsonFile: values.json ?? null,
    profileFolder: values.profile ?? null,
    peers: values.peers,
    bounds: values.bounds,
    compareWith: values.compare === 'standing' ? STANDING_COMMIT : values.compare ?? null,
    growthAccounts: Math.ceil(positive(values.growth, defaults.growthAccounts)),
    usageRecords: Math.ceil(positive(values.usage, defaults.usageRecords)),
    fullDatabase: values.database ?? null,
  };
}

export function readOptions(argv: readonly string[]): OptionsReading<BenchOptions> {
  return readingOf(() => parse(argv));
}
