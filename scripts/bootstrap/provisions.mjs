import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { nodeModules, pinnedNode, root, run, runNpm } from './run.mjs';

/**
 * What the tests need before they can run. Each provision finds what it provides or fetches it, does nothing
 * when it is already there, and throws with a sentence for the reader when it cannot be had.
 */
const provisions = [installDependencies, () => provideProgram(redisServer), () => provideProgram(chromium)];

export async function provide() {
  for (const provision of provisions) await provision();
}

/**
 * Makes node_modules agree with package-lock.json, and does nothing when it already does.
 * Everything it prints goes to standard error, so a caller's own output stays clean.
 */
export async function installDependencies() {
  if (dependenciesAreInstalled()) return;
  process.stderr.write('Installing the dependencies named in package-lock.json. The first time takes a minute or two.\n');
  // The compiler is a development dependency and is needed to start, also where NODE_ENV says production.
  const code = await runNpm(['ci', '--include=dev', '--loglevel=error'], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, PATH: pathWithoutProjectPrograms() },
  });
  if (code !== 0) throw new Error(`npm ci ended with code ${code}.`);
  if (!existsSync(pinnedNode)) {
    throw new Error('npm skipped the install script of the package "node". Run: npm rebuild node --ignore-scripts=false');
  }
}

/**
 * npm keeps a record of what it installed. Comparing that with the lockfile is right after any install,
 * by this script or by hand, where a stamp of our own would only know about this script's.
 */
function dependenciesAreInstalled() {
  const record = join(nodeModules, '.package-lock.json');
  if (!existsSync(record) || !existsSync(pinnedNode)) return false;
  const installed = readPackages(record);
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path];
    // The entry without a path is the project itself. Optional packages for other systems are never installed here.
    if (path === '' || (found === undefined && wanted.optional === true)) return true;
    return found !== undefined && found.version === wanted.version && found.link === wanted.link;
  });
}

function readPackages(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/** npm ci deletes node_modules, so it must not itself run on the Node release that lies in there. */
function pathWithoutProjectPrograms() {
  const projectPrograms = `${sep}node_modules${sep}.bin`;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(projectPrograms))
    .join(delimiter);
}

/**
 * A program that the tests start for themselves: `names` it may have, the Debian package that brings it, and how people elsewhere get it.
 * @typedef {{ names: readonly string[], package: string, instructions: string }} Program
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

/**
 * Finds a program, or installs it from Debian's packages. Throws with what to do where it can be had in neither way.
 * Everything it prints goes to standard error, so a caller's own output stays clean.
 */
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

/** The optional packages that an entry of a lockfile names and no other entry provides. */
export function missingOptionalPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isProvided(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Looks where Node would: in the package's own node_modules, then in that of each folder above it. */
function isProvided(packages, path, name) {
  if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true;
  if (path === '') return false;
  const above = path.lastIndexOf('/node_modules/');
  return isProvided(packages, above === -1 ? '' : path.slice(0, above), name);
}
