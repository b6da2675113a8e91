import { parseArgs } from 'node:util';
import { type OptionsReading, readingOf } from '@tollgate/kit';
import { type SetupName, SETUPS } from './setups.js';

export interface ChaosOptions {
  readonly setups: readonly SetupName[];
  readonly seed: number;
  /** No new round begins after so long. */
  readonly minutes: number;
  /** Rounds at each kill point. */
  readonly killPoints: number;
  /** Rounds killed at random. */
  readonly random: number;
  /** Damaged copies of the write-ahead log of SQLite. */
  readonly torn: number;
  readonly jsonFile: string | null;
}

export const HELP = `Kills gateways under load, starts them again, and checks that no money is lost or invented. Takes about four minutes.

npm run chaos -- [options]

  --setup NAME      sqlite: one gateway on a database file; postgres: three over PostgreSQL and Redis; both (default)
  --seed N          seed of the random numbers (printed at the start; default: from the clock)
  --minutes N       starts no round after so many minutes (default 5)
  --kill-points N   rounds at each kill point (default 3)
  --random N        rounds killed at a random moment (default 30)
  --torn N          damaged copies of a write-ahead log of SQLite (default 200)
  --json FILE       writes the report as JSON
  --help            prints this

Counts are for each setup. The exit code is 0 when nothing was found, 1 when something was, 2 when it was called wrongly.
`;

function counted(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? '5');
  if (!(minutes > 0 && Number.isFinite(minutes))) throw new Error(`${text} is not a number above 0`);
  return minutes;
}

function setupsOf(text = 'both'): readonly SetupName[] {
  if (text === 'both') return SETUPS;
  const named = SETUPS.filter((name) => name === text);
  if (named.length === 0) throw new Error(`${text} is not a setup: ${SETUPS.join(', ')} or both`);
  return named;
}

function parse(argv: readonly string[], defaultSeed: number): ChaosOptions | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'setup': text, 'seed': text, 'minutes': text, 'kill-points': text, 'random': text, 'torn': text, 'json': text, 'help': { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    setups: setupsOf(values.setup),
    seed: counted(values.seed, defaultSeed),
    minutes: minutesOf(values.minutes),
    killPoints: counted(values['kill-points'], 3),
    random: counted(values.random, 30),
    torn: counted(values.torn, 200),
    jsonFile: values.json ?? null,
  };
}

/** Reads the command line of the chaos run. */
export function readOptions(argv: readonly string[], defaultSeed: number): OptionsReading<ChaosOptions> {
  return readingOf(() => parse(argv, defaultSeed));
}
