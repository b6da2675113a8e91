import { parseArgs } from 'node:util';
import { endWith } from './bootstrap/end.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { programs } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

/** A full run. The seed is another one each time unless it is given; a failure tells which it was. */
const DEFAULTS = { seed: String(Date.now() % 1_000_000_000), requests: '100000', streams: '20000', minutes: '60' };

const FUZZ_TESTS = 'apps/gateway/test/fuzz';

await endWith(async () => {
  const settings = readSettings();
  await provide();
  process.stderr.write(`Seed ${settings.seed}: ${settings.requests} requests, ${settings.streams} streams, at most ${settings.minutes} minutes\n`);
  return runOnPinnedNode([programs.jest, '--runInBand', FUZZ_TESTS], {
    env: {
      ...process.env,
      NODE_OPTIONS: [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' '),
      FUZZ_SEED: settings.seed,
      FUZZ_REQUESTS: settings.requests,
      FUZZ_STREAMS: settings.streams,
      FUZZ_MINUTES: settings.minutes,
      FUZZ_PROGRESS: 'shown',
    },
  });
});

function readSettings() {
  const option = (name) => ({ type: 'string', default: DEFAULTS[name] });
  const { values } = parseArgs({ options: { seed: option('seed'), requests: option('requests'), streams: option('streams'), minutes: option('minutes') } });
  return { seed: wholeNumber('seed', values.seed), requests: wholeNumber('requests', values.requests), streams: wholeNumber('streams', values.streams), minutes: wholeNumber('minutes', values.minutes) };
}

function wholeNumber(name, value) {
  if (!/^\d{1,9}$/.test(value) || (name !== 'seed' && Number(value) < 1)) throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
  return value;
}
