import { endWith } from './bootstrap/end.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { readOptions } from './bootstrap/options.mjs';
import { programs } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

/** A full run. The seed is another one each time unless it is given; a failure tells which it was. */
const DEFAULTS = { seed: String(Date.now() % 1_000_000_000), requests: '100000', streams: '20000', minutes: '60' };

const FUZZ_TESTS = 'apps/gateway/test/fuzz';

const USAGE = `npm run fuzz -- [options]

Sends a gateway requests that chance has made, and has its upstream answer with replies that chance has made. Nothing may be answered
with a status of 5xx or a broken frame, leave anything set aside or a slot taken, or surprise the gateway.

  --seed N       what chance is drawn from (printed at the start; default by the clock)
  --requests N   requests (${DEFAULTS.requests})
  --streams N    replies of upstreams (${DEFAULTS.streams})
  --minutes N    time for it (${DEFAULTS.minutes})
  --help         prints this
`;

await endWith(async () => {
  const settings = readSettings();
  if (settings === null) return 0;
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

/** `null` when the reader wants to know what there is. */
function readSettings() {
  const option = (name) => ({ type: 'string', default: DEFAULTS[name] });
  const given = readOptions(USAGE, {
    options: { seed: option('seed'), requests: option('requests'), streams: option('streams'), minutes: option('minutes') },
  });
  if (given === null) return null;
  const { values } = given;
  return { seed: wholeNumber('seed', values.seed), requests: wholeNumber('requests', values.requests), streams: wholeNumber('streams', values.streams), minutes: wholeNumber('minutes', values.minutes) };
}

function wholeNumber(name, value) {
  if (!/^\d{1,9}$/.test(value) || (name !== 'seed' && Number(value) < 1)) throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
  return value;
}
