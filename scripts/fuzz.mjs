import { endWith } from './bootstrap/end.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { readOptions, wholeNumber } from './bootstrap/options.mjs';
import { provide } from './bootstrap/provisions.mjs';

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
  return runJest(['--runInBand', FUZZ_TESTS], {
    env: {
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
  const options = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }]));
  const given = readOptions(USAGE, { options });
  if (given === null) return null;
  return Object.fromEntries(Object.entries(given.values).map(([name, value]) => [name, wholeNumber(name, value, name === 'seed' ? 0 : 1)]));
}
