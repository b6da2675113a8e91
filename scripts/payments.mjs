import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { run, runJest, stamps } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

const USAGE = `npm run payments

Sends every request that the gateway makes of Stripe to stripe-mock, Stripe's own mock, which checks each against the published
description of the API. No account at Stripe is needed, and nothing leaves this machine.
Takes stripe-mock from the PATH, else builds it with Go.

  --help         prints this
`;

/** Go module of the mock, in a version that contains the description of the API. */
const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const BUILT = join(stamps, 'go', 'bin', 'stripe-mock');
const MISSING = `stripe-mock is not installed, and could not be built. Install it (https://github.com/stripe/stripe-mock), or Go 1.22 or later, and run this again.\n`;
const START_MILLISECONDS = 15_000;

/** Command of the mock, which is built if it is not installed; `null` if it could not be built. */
async function findMock() {
  if (spawnSync('stripe-mock', ['-version'], { stdio: 'ignore' }).status === 0) return 'stripe-mock';
  if (existsSync(BUILT)) return BUILT;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return null;
  process.stderr.write(`Building ${MODULE}.\n`);
  const code = await run('go', ['install', MODULE], { env: { ...process.env, GOBIN: join(stamps, 'go', 'bin') } });
  return code === 0 ? BUILT : null;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url) {
  const until = Date.now() + START_MILLISECONDS;
  while (Date.now() < until) {
    if (await fetch(url).then(() => true, () => false)) return true;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  return false;
}

await endWith(async () => {
  if (readOptions(USAGE, { options: {} }) === null) return 0;
  await installDependencies(FOR_TESTS);
  const mock = await findMock();
  if (mock === null) {
    process.stderr.write(MISSING);
    return 1;
  }
  const port = await freePort();
  const child = spawn(mock, ['-http-port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${port}`;
    if (!await answers(url)) throw new Error(`stripe-mock does not answer at ${url}.`);
    return await runJest(['--runInBand', '--testMatch', '**/*.check.ts', 'packages/adapters-stripe'], { env: { STRIPE_MOCK_URL: url } });
  } finally {
    child.kill();
  }
});
