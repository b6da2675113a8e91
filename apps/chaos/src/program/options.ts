import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly seed: number;
  /** No new round begins after so long. */
  readonly minutes: number;
  /** Rounds at each kill point. */
  readonly runs: number;
  /** Rounds killed at random. */
  readonly random: number;
  /** Damaged copies of the write-ahead log. */
  readonly torn: number;
  readonly jsonFile: string | null;
}

export type OptionsReading =
  | { readonly outcome: 'run'; readonly options: ChaosOptions }
  | { readonly outcome: 'help' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export const HELP = `Kills gateways under load, starts them again, and checks that no money is lost or invented. Takes about two minutes.

npm run chaos -- [options]

  --seed N       what chance is drawn from (printed at the start; default by the clock)
  --minutes N    no round begins after so long (default 2)
  --runs N       rounds at each kill point (default 20)
  --random N     rounds killed at a random moment (default 100)
  --torn N       damaged copies of a write-ahead log (default 200)
  --json FILE    writes the report as JSON
  --help         prints this

The exit code is 0 when nothing was found, 1 when something was, 2 when it was called wrongly.
`;

function counted(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? '2');
  if (!(minutes > 0 && Number.isFinite(minutes))) throw new Error(`${text} is not a number above 0`);
  return minutes;
}

function parse(argv: readonly string[], defaultSeed: number): OptionsReading {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seed: { type: 'string' }, minutes: { type: 'string' }, runs: { type: 'string' }, random: { type: 'string' }, torn: { type: 'string' },
      json: { type: 'string' }, help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { outcome: 'help' };
  return {
    outcome: 'run',
    options: {
      seed: counted(values.seed, defaultSeed),
      minutes: minutesOf(values.minutes),
      runs: counted(values.runs, 20),
      random: counted(values.random, 100),
      torn: counted(values.torn, 200),
      jsonFile: values.json ?? null,
    },
  };
}

/** Reads the command line of the chaos run. */
export function readOptions(argv: readonly string[], defaultSeed: number): OptionsReading {
  try {
    return parse(argv, defaultSeed);
  } catch (thrown) {
    return { outcome: 'wrong', problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
