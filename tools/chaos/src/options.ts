import { parseArgs } from 'node:util';
import { type OptionsReading, readingOf, wholeNumber } from '@tollgate/kit';
import { FAULT_NAMES, FAULTS, type FaultName } from './faults/fault-names.js';
import { type SetupName, SETUPS } from './setups/setup.js';

export interface ChaosOptions {
  readonly setups: readonly SetupName[];
  readonly seed: number;
  /** Number of minutes after which no further round begins. */
  readonly minutes: number;
  /** Number of rounds for each kill point. */
  readonly killPoints: number;
  /** Number of rounds with kills at random moments. */
  readonly random: number;
  /** Number of damaged copies of SQLite's write-ahead log. */
  readonly torn: number;
  readonly faults: readonly FaultName[];
  /** Folder of the checkout for fault rounds; `null` for this one. */
  readonly checkout: string | null;
  readonly jsonFile: string | null;
}

const FAULT_LINES = FAULT_NAMES.map((name) => `                    ${name.padEnd(20)} ${FAULTS[name]}\n`).join('');

export const HELP = `Kills gateways under load, starts them again, and checks that no money is lost or invented. Takes about five minutes.

npm run chaos -- [options]

  --setup NAME      sqlite: one gateway on a database file; postgres: three over PostgreSQL and Redis; both (default);
                    none: fault rounds only
  --seed N          seed of the random numbers (printed at the start; default: from the clock)
  --minutes N       starts no round after so many minutes (default 5)
  --kill-points N   rounds at each kill point (default 3)
  --random N        rounds killed at a random moment (default 30)
  --torn N          damaged copies of a write-ahead log of SQLite (default 200)
  --faults NAMES    fault rounds, separated by commas; all (default), as many as there is time for; none
${FAULT_LINES}  --checkout FOLDER the built checkout whose gateways the fault rounds run (default: this one)
  --json FILE       writes the report as JSON
  --help            prints this

Counts are for each setup. Each setup gets an equal part of the minutes, and so do the fault rounds. The exit code is 0 when nothing was found, 1 when something was, 2 when it was called wrongly.
`;

const MAX_COUNT = 999_999_999;

function counted(option: string, text: string | undefined, fallback: number): number {
  return text === undefined ? fallback : wholeNumber(option, text, MAX_COUNT);
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? '5');
  if (!(minutes > 0 && Number.isFinite(minutes))) throw new Error(`--minutes must be a number above 0, not ${text}`);
  return minutes;
}

function setupsOf(text = 'both'): readonly SetupName[] {
  if (text === 'both') return SETUPS;
  if (text === 'none') return [];
  const named = SETUPS.filter((name) => name === text);
  if (named.length === 0) throw new Error(`--setup must be one of ${SETUPS.join(', ')}, both or none, not ${text}`);
  return named;
}

function faultsOf(text = 'all'): readonly FaultName[] {
  if (text === 'all') return FAULT_NAMES;
  if (text === 'none') return [];
  return text.split(',').map((wanted) => {
    const name = FAULT_NAMES.find((known) => known === wanted);
    if (name === undefined) throw new Error(`--faults must be all, none, or names out of ${FAULT_NAMES.join(', ')}; ${wanted} is not among them`);
    return name;
  });
}

function parse(argv: readonly string[], defaultSeed: number): ChaosOptions | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'setup': text, 'seed': text, 'minutes': text, 'kill-points': text, 'random': text, 'torn': text, 'faults': text, 'checkout': text, 'json': text, 'help': { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    setups: setupsOf(values.setup),
    seed: counted('--seed', values.seed, defaultSeed),
    minutes: minutesOf(values.minutes),
    killPoints: counted('--kill-points', values['kill-points'], 3),
    random: counted('--random', values.random, 30),
    torn: counted('--torn', values.torn, 200),
    faults: faultsOf(values.faults),
    checkout: values.checkout ?? null,
    jsonFile: values.json ?? null,
  };
}

export function readOptions(argv: readonly string[], defaultSeed: number): OptionsReading<ChaosOptions> {
  return readingOf(() => parse(argv, defaultSeed));
}
