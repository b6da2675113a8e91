import { endWith } from './bootstrap/end.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { readOptions, wholeNumber } from './bootstrap/options.mjs';
import { provide } from './bootstrap/provisions.mjs';

/** A full run. The seed is another one each time unless it is given; a failure tells which it was. */
const DEFAULTS = { seed: String(Date.now() % 1_000_000_000), streams: '1000', rounds: '100', requests: '1000', changes: '20' };

const PROMISE_TESTS = 'apps/gateway/test/instances';

const USAGE = `npm run promises -- [options] [names]

Tries what Tollgate promises on gateways over real sockets, on each database: clients that leave in the middle, balances that many
requests want at once, limits and changes of settings. Names such as leaving-clients choose among the tests; without any, all run.

  --seed N       what chance is drawn from (printed at the start; default by the clock)
  --streams N    clients that leave in the middle of a stream (${DEFAULTS.streams})
  --rounds N     balances that many requests want at the same time (${DEFAULTS.rounds})
  --requests N   requests that want each of them (${DEFAULTS.requests})
  --changes N    changes of each kind (${DEFAULTS.changes})
  --help         prints this
`;

await endWith(async () => {
  const chosen = readArguments();
  if (chosen === null) return 0;
  const { settings, tests } = chosen;
  await provide();
  process.stderr.write(`Seed ${settings.seed}: ${settings.streams} streams, ${settings.rounds} times ${settings.requests} requests, ${settings.changes} changes of each kind\n`);
  return runJest(['--runInBand', ...tests], {
    env: {
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`PROMISES_${name.toUpperCase()}`, value])),
      PROMISES_PROGRESS: 'shown',
    },
  });
});

/** Options, and which of the tests to run: all of them unless some are named. `null` when the reader wants to know what there is. */
function readArguments() {
  const options = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }]));
  const given = readOptions(USAGE, { options, allowPositionals: true });
  if (given === null) return null;
  const { values, positionals } = given;
  const settings = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wholeNumber(name, value, name === 'seed' ? 0 : 1)]));
  return { settings, tests: positionals.length === 0 ? [PROMISE_TESTS] : positionals.map((name) => `${PROMISE_TESTS}/${name}`) };
}
