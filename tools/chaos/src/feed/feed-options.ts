import { parseArgs } from 'node:util';
import { type OptionsReading, readingOf, wholeNumber } from '@tollgate/kit';
import { type SetupName, SETUPS } from '../setups/setup.js';

interface FeedOptions {
  /** Number of events for each database; the run ends soon after this many are committed. */
  readonly events: number;
  readonly databases: readonly SetupName[];
  readonly seed: number;
  readonly jsonFile: string | null;
}

export const FEED_HELP = `Checks that readers of the feed of events miss none and read none twice, while its writers and gateways are killed.

npm run feed -- [options]

  --events N        how many events are written to each database, at least (default 100000)
  --database NAME   sqlite: one gateway on a database file; postgres: two gateways, and writers that keep transactions
                    open; both (default)
  --seed N          seed of the random numbers (printed at the start; default: from the clock)
  --json FILE       writes the report as JSON
  --help            prints this

The exit code is 0 when nothing was found, 1 when something was, 2 when it was called wrongly.
`;

const MAX_EVENTS = 10_000_000;

function databasesOf(text: string): readonly SetupName[] {
  const named = SETUPS.filter((name) => text === 'both' || name === text);
  if (named.length === 0) throw new Error(`--database must be one of ${SETUPS.join(', ')} or both, not ${text}`);
  return named;
}

function parse(argv: readonly string[], defaultSeed: number): FeedOptions | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      events: { type: 'string', default: '100000' }, database: { type: 'string', default: 'both' }, seed: { type: 'string' }, json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const events = wholeNumber('--events', values.events, MAX_EVENTS);
  if (events === 0) throw new Error('--events must be at least 1');
  return { events, databases: databasesOf(values.database), seed: values.seed === undefined ? defaultSeed : wholeNumber('--seed', values.seed, 2 ** 32 - 1), jsonFile: values.json ?? null };
}

export function readFeedOptions(argv: readonly string[], defaultSeed: number): OptionsReading<FeedOptions> {
  return readingOf(() => parse(argv, defaultSeed));
}
