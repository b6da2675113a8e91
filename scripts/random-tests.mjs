import { endWith, readOptions, wholeNumber } from './bootstrap/command-line.mjs';
import { provide } from './bootstrap/provisions.mjs';
import { runJest } from './bootstrap/run.mjs';

/** Default seed, a different one in each run; a failure prints the seed. */
const SEED = String(Date.now() % 1_000_000_000);

const FUZZ = {
  defaults: { seed: SEED, requests: '100000', streams: '20000', minutes: '60' },
  mayBeZero: ['seed'],
  tests: () => ['apps/gateway/test/fuzz'],
  begins: ({ seed, requests, streams, minutes }) => `Seed ${seed}: ${requests} requests, ${streams} streams, at most ${minutes} minutes`,
  usage: (defaults) => `npm run fuzz -- [options]

Sends random requests to a gateway whose upstream answers with random replies. A run fails if the gateway answers 5xx or with a
broken frame, keeps an amount reserved or a slot taken, or throws an unexpected error.

  --seed N       seed of the random numbers (printed at the start; default: from the clock)
  --requests N   requests (${defaults.requests})
  --streams N    upstream responses (${defaults.streams})
  --minutes N    maximum duration (${defaults.minutes})
  --help         prints this
`,
};

const LEDGER_TESTS = {
  memory: 'packages/adapters-memory/src/memory-ledger.history.test.ts',
  sqlite: 'packages/adapters-sqlite/src/ledger/sqlite-ledger.history.test.ts',
  postgres: 'packages/adapters-postgres/src/ledger/postgres-ledger.history.test.ts',
};
const LIMITER_TESTS = ['packages/adapters-memory/src/memory-rate-limiter.history.test.ts', 'packages/adapters-redis/src/redis-rate-limiter.history.test.ts'];

const CREDIT_TESTS = ['packages/adapters-sqlite/src/open-sqlite-store.credit-history.test.ts', 'packages/adapters-postgres/src/open-postgres-store.credit-history.test.ts'];

const PAYMENT_TESTS = ['packages/adapters-sqlite/src/open-sqlite-store.payment-history.test.ts', 'packages/adapters-postgres/src/open-postgres-store.payment-history.test.ts'];

const HISTORIES = {
  defaults: { seed: SEED, minutes: '60', memory: '10000', sqlite: '10000', postgres: '1000', limits: '10000', credits: '1000', payments: '1000' },
  mayBeZero: ['seed', 'memory', 'sqlite', 'postgres', 'limits', 'credits', 'payments'],
  tests: (settings) => {
    const ledgers = Object.entries(LEDGER_TESTS).filter(([name]) => settings[name] !== '0').map(([, test]) => test);
    const tests = [...ledgers, ...settings.limits === '0' ? [] : LIMITER_TESTS, ...settings.credits === '0' ? [] : CREDIT_TESTS, ...settings.payments === '0' ? [] : PAYMENT_TESTS];
    if (tests.length === 0) throw new Error('No test is left to run: every number is 0.');
    return tests;
  },
  begins: ({ seed }) => `Seed ${seed}`,
  usage: (defaults) => `npm run histories -- [options]

Plays random histories on every ledger, every limiter, and the credits and payments of accounts beside a model of each, and stops at the first answer that differs.

  --memory N     histories of 50 steps on the ledger in memory (${defaults.memory}; 0 leaves it out)
  --sqlite N     on SQLite (${defaults.sqlite})
  --postgres N   on PostgreSQL (${defaults.postgres})
  --limits N     histories of 30 to 60 steps on the limiter in memory and on the one in Redis (${defaults.limits})
  --credits N    histories of 25 steps of credits that expire on SQLite, and a fifth as many on PostgreSQL (${defaults.credits})
  --payments N   histories of 30 steps of payments, with gateways killed in their transactions, on SQLite and on PostgreSQL (${defaults.payments})
  --seed N       seed of the random numbers (printed at the start; default: from the clock)
  --minutes N    maximum duration of each (${defaults.minutes})
  --help         prints this
`,
};

const PROMISE_TESTS = 'apps/gateway/test/instances';

const PROMISES = {
  defaults: { seed: SEED, streams: '1000', rounds: '100', requests: '1000', changes: '20' },
  mayBeZero: ['seed'],
  allowPositionals: true,
  tests: (_settings, names) => (names.length === 0 ? [PROMISE_TESTS] : names.map((name) => `${PROMISE_TESTS}/${name}`)),
  begins: ({ seed, streams, rounds, requests, changes }) => `Seed ${seed}: ${streams} streams, ${rounds} times ${requests} requests, ${changes} changes of each kind`,
  usage: (defaults) => `npm run promises -- [options] [names]

Tests the promises on gateways over real sockets, on each database: clients that disconnect, balances with concurrent
requests, limits and changes of settings. Names such as leaving-clients select tests; without any, all run.

  --seed N       seed of the random numbers (printed at the start; default: from the clock)
  --streams N    clients that disconnect in the middle of a stream (${defaults.streams})
  --rounds N     balances with concurrent requests (${defaults.rounds})
  --requests N   concurrent requests for each balance (${defaults.requests})
  --changes N    changes of each kind (${defaults.changes})
  --help         prints this
`,
};

const RUNS = { fuzz: FUZZ, histories: HISTORIES, promises: PROMISES };

// Removes the run's name, so that its own arguments remain in `process.argv`.
const [name] = process.argv.splice(2, 1);
const chosen = RUNS[name];

/** Settings by option; `null` after printing the help. */
function readSettings({ defaults, mayBeZero, usage, allowPositionals = false }) {
  const options = Object.fromEntries(Object.entries(defaults).map(([option, value]) => [option, { type: 'string', default: value }]));
  const given = readOptions(usage(defaults), { options, allowPositionals });
  if (given === null) return null;
  const settings = Object.fromEntries(Object.entries(given.values).map(([option, value]) => [option, wholeNumber(option, value, mayBeZero.includes(option) ? 0 : 1)]));
  return { settings, names: given.positionals };
}

await endWith(async () => {
  if (chosen === undefined) throw new Error(`There is no ${name}; there are ${Object.keys(RUNS).join(', ')}.`);
  const read = readSettings(chosen);
  if (read === null) return 0;
  const { settings, names } = read;
  const tests = chosen.tests(settings, names);
  await provide();
  process.stderr.write(`${chosen.begins(settings)}\n`);
  const variables = Object.entries({ ...settings, progress: 'shown' }).map(([option, value]) => [`${name.toUpperCase()}_${option.toUpperCase()}`, value]);
  return runJest(['--runInBand', ...tests], { env: Object.fromEntries(variables) });
});
