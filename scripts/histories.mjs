import { endWith } from './bootstrap/end.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { readOptions, wholeNumber } from './bootstrap/options.mjs';
import { provide } from './bootstrap/provisions.mjs';

/** A full run. The seed is another one each time unless it is given; a failure tells which it was. */
const DEFAULTS = {
  seed: String(Date.now() % 1_000_000_000), minutes: '60', memory: '10000', sqlite: '10000', postgres: '1000', limits: '10000',
};

const LEDGER_TESTS = {
  memory: 'packages/adapters-memory/src/ledger/ledger-history.test.ts',
  sqlite: 'packages/adapters-sqlite/src/ledger/ledger-history.test.ts',
  postgres: 'packages/adapters-postgres/src/ledger/ledger-history.test.ts',
};
const LIMITER_TESTS = ['packages/adapters-memory/src/limits/limiter-history.test.ts', 'packages/adapters-redis/src/limits/limiter-history.test.ts'];

const USAGE = `npm run histories -- [options]

Plays random histories on every ledger and every limiter beside a model of each, and stops at the first answer that differs.

  --memory N     histories of 50 steps on the ledger in memory (${DEFAULTS.memory}; 0 leaves it out)
  --sqlite N     on SQLite (${DEFAULTS.sqlite})
  --postgres N   on PostgreSQL (${DEFAULTS.postgres})
  --limits N     histories of 30 to 60 steps on the limiter in memory and on the one in Redis (${DEFAULTS.limits})
  --seed N       begins the random numbers (another one each time)
  --minutes N    time for each of them (${DEFAULTS.minutes})
  --help         prints this
`;

await endWith(async () => {
  const settings = readSettings();
  if (settings === null) return 0;
  await provide();
  process.stderr.write(`Seed ${settings.seed}\n`);
  return runJest(['--runInBand', ...testsOf(settings)], {
    env: {
      HISTORIES_SEED: settings.seed,
      HISTORIES_MINUTES: settings.minutes,
      HISTORIES_MEMORY: settings.memory,
      HISTORIES_SQLITE: settings.sqlite,
      HISTORIES_POSTGRES: settings.postgres,
      HISTORIES_LIMITS: settings.limits,
      HISTORIES_PROGRESS: 'shown',
    },
  });
});

function testsOf(settings) {
  const ledgers = Object.entries(LEDGER_TESTS).filter(([name]) => settings[name] !== '0').map(([, test]) => test);
  const tests = [...ledgers, ...settings.limits === '0' ? [] : LIMITER_TESTS];
  if (tests.length === 0) throw new Error('Nothing is left to play: every number is 0.');
  return tests;
}

/** `null` when the reader wants to know what there is. */
function readSettings() {
  const named = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }]));
  const given = readOptions(USAGE, { options: named });
  if (given === null) return null;
  return Object.fromEntries(Object.entries(given.values).map(([name, value]) => [name, wholeNumber(name, value, name === 'minutes' ? 1 : 0)]));
}
