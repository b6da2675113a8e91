import { spawnSync } from 'node:child_process';
import { installDependencies } from './dependencies.mjs';
import { run } from './run.mjs';
import { FOR_TESTS } from './scopes.mjs';

/** What tests require. Each function installs what is missing, and throws with a sentence if it cannot. */
const provisions = [() => installDependencies(FOR_TESTS), () => provideProgram(redisServer), () => provideProgram(chromium)];

export async function provide() {
  for (const provision of provisions) await provision();
}

/**
 * A program that tests start: its possible `names`, its Debian package, and instructions for other systems. @typedef {{ names: readonly
 * string[], package: string, instructions: string }} Program
 */

/** @type {Program} */
export const redisServer = {
  names: ['redis-server'], package: 'redis-server',
  instructions: 'Install it and run this again: "apt-get install redis-server" on Debian or Ubuntu (as root), "brew install redis" on macOS.',
};

/** @type {Program} */
export const chromium = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], package: 'chromium',
  instructions: 'Install it and run this again: "apt-get install chromium" on Debian or Ubuntu (as root), or put another Chromium on the PATH.',
};

/** Installs a program from Debian's packages unless it is installed. Throws with instructions if it cannot. Prints to standard error. */
export async function provideProgram(program) {
  const { names, package: name, instructions } = program;
  if (isInstalled(program)) return;
  if (process.getuid?.() !== 0) throw new Error(`The tests need ${name}, and only root could install it here. ${instructions}`);
  if (!runs('apt-get')) throw new Error(`The tests need ${name}, and there is no apt-get to install it with. ${instructions}`);
  process.stderr.write(`Installing ${name}, which the tests start for themselves.\n`);
  await aptGet(['update'], program);
  await aptGet(['install', '-y', '--no-install-recommends', name], program);
  if (!isInstalled(program)) throw new Error(`The package ${name} was installed, but ${names[0]} does not run. ${instructions}`);
}

function isInstalled({ names }) {
  return names.some(runs);
}

function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

async function aptGet(aptArguments, { package: name, instructions }) {
  const code = await run('apt-get', ['-q', ...aptArguments], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (code !== 0) throw new Error(`"apt-get ${aptArguments[0]}" ended with code ${code}, and the tests need ${name}. ${instructions}`);
}

/** Optional packages that entries of the lockfile depend on, but that have no entry of their own. */
export function missingOptionalPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isProvided(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Searches as Node does: in the package's own node_modules, then in those of the folders above. */
function isProvided(packages, path, name) {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true;
  if (path === '') return false;
  const above = path.lastIndexOf('/node_modules/');
  return isProvided(packages, above === -1 ? '' : path.slice(0, above), name);
}
