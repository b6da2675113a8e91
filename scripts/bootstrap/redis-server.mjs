import { spawnSync } from 'node:child_process';
import { run } from './run.mjs';

const PACKAGE = 'redis-server';
const INSTRUCTIONS = 'Install it and run this again: "apt-get install redis-server" on Debian or Ubuntu (as root), "brew install redis" on macOS.';

/**
 * Finds redis-server, which the tests start for themselves, or installs it from Debian's packages.
 * Everything it prints goes to standard error, so a caller's own output stays clean.
 */
export async function provideRedisServer() {
  if (runs('redis-server')) return;
  if (process.getuid?.() !== 0) throw new Error(`The tests need redis-server, and only root could install it here. ${INSTRUCTIONS}`);
  if (!runs('apt-get')) throw new Error(`The tests need redis-server, and there is no apt-get to install it with. ${INSTRUCTIONS}`);
  process.stderr.write('Installing redis-server, which the tests start for themselves.\n');
  await aptGet(['update']);
  await aptGet(['install', '-y', '--no-install-recommends', PACKAGE]);
  if (!runs('redis-server')) throw new Error(`The package ${PACKAGE} was installed, but redis-server does not run. ${INSTRUCTIONS}`);
}

function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

async function aptGet(aptArguments) {
  const code = await run('apt-get', ['-q', ...aptArguments], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (code !== 0) throw new Error(`"apt-get ${aptArguments[0]}" ended with code ${code}, and the tests need redis-server. ${INSTRUCTIONS}`);
}
