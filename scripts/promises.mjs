import { parseArgs } from 'node:util';
import { endWith } from './bootstrap/end.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { programs } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

/** A full run. The seed is another one each time unless it is given; a failure tells which it was. */
const DEFAULTS = { seed: String(Date.now() % 1_000_000_000), streams: '1000', rounds: '100', requests: '1000', changes: '20' };

const PROMISE_TESTS = 'apps/gateway/test/instances';

await endWith(async () => {
  const { settings, tests } = readArguments();
  await provide();
  process.stderr.write(`Seed ${settings.seed}: ${settings.streams} streams, ${settings.rounds} times ${settings.requests} requests, ${settings.changes} changes of each kind\n`);
  return runOnPinnedNode([programs.jest, '--runInBand', ...tests], {
    env: {
      ...process.env,
      NODE_OPTIONS: [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' '),
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`PROMISES_${name.toUpperCase()}`, value])),
      PROMISES_PROGRESS: 'shown',
    },
  });
});

/** Options, and which of the tests to run: all of them unless some are named. */
function readArguments() {
  const options = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }]));
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const settings = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, wholeNumber(name, values[name])]));
  return { settings, tests: positionals.length === 0 ? [PROMISE_TESTS] : positionals.map((name) => `${PROMISE_TESTS}/${name}`) };
}

function wholeNumber(name, value) {
  if (!/^\d{1,9}$/.test(value) || (name !== 'seed' && Number(value) < 1)) throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
  return value;
}
