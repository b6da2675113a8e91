import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';
import { sayOnStandardError, secondsSince, withProgress } from './progress.mjs';
import { missingNode, nodeModules, root, runNpm, stamps } from './run.mjs';
import { FOR_TESTS } from './scopes.mjs';

const lockfile = join(root, 'package-lock.json');
/** What npm has installed: it writes this file at the end of an install that succeeded. */
const record = join(nodeModules, '.package-lock.json');
/** Exists from the beginning of an install until it has succeeded. */
const unfinished = join(stamps, 'install-unfinished');

/**
 * Installs what package-lock.json names for a scope, and does nothing where it is installed already. Packages that are installed stay
 * where they are, since a gateway may be running from them. Throws with a sentence for the reader if npm fails.
 */
export async function installDependencies(scope, say = sayOnStandardError) {
  if (isInstalled(scope)) return;
  const giveBack = await takeLock(join(stamps, 'install.lock'), () => say('Waiting for another process that installs packages.'));
  try {
    // The other process may have installed them.
    if (!isInstalled(scope)) await install(scope, say);
  } finally {
    giveBack();
  }
}

function isInstalled(scope) {
  return !existsSync(unfinished) && existsSync(record) && missingNode() === null && findMissing(scope) === undefined;
}

/** A package of a scope that npm's record lacks or has in another version: the record is right after any install, by this script or by hand. */
function findMissing({ includes }) {
  const installed = packagesOf(record);
  const [path] = Object.entries(packagesOf(lockfile)).find(([name, wanted]) => {
    // The entry without a path is the project itself.
    if (name === '' || !includes(wanted)) return false;
    const found = installed[name];
    if (found === undefined) return !isOptional(wanted) || (wanted.os !== undefined && isForThisSystem(wanted));
    return found.version !== wanted.version || found.link !== wanted.link || !existsSync(join(root, name));
  }) ?? [];
  return path;
}

/** npm leaves these out on other systems, and those that only they need. */
function isOptional({ optional, devOptional }) {
  return optional === true || devOptional === true;
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

async function install(scope, say) {
  const startedAt = Date.now();
  if (existsSync(unfinished) || !existsSync(record)) removeUnrecorded(say);
  mkdirSync(stamps, { recursive: true });
  writeFileSync(unfinished, '');
  // npm would remove the packages of tests that an earlier install brought.
  const wider = hasDevelopmentPackages() ? FOR_TESTS : scope;
  const paths = pathsOf(wider);
  say(`Installing about ${paths.length} packages: ${wider.words}.`);
  const code = await withProgress({ say, describe: () => `${countOf(paths)} of about ${paths.length} packages` }, () => installByNpm(wider));
  if (code !== 0) throw new Error(`npm install ended with code ${code}. Run this again to go on; a gateway that runs from here is not disturbed.`);
  const problem = missingNode();
  if (problem !== null) throw new Error(problem);
  rmSync(unfinished);
  const missing = findMissing(scope);
  if (missing !== undefined) throw new Error(`npm has not installed ${missing} as package-lock.json names it. Run this again; if that does not help, the lockfile does not agree with package.json.`);
  say(`Installed ${countOf(paths)} packages in ${secondsSince(startedAt)} s.`);
}

/**
 * Not `npm ci`, which removes node_modules first. With --no-save, npm follows the lockfile and does not write it.
 * npm leaves out optional packages that its own Node cannot load, such as the bundler's code on Node 18: it takes itself to run on the
 * release that loads them.
 */
function installByNpm({ options }) {
  return runNpm(['install', '--no-save', ...options, '--include=optional', '--no-audit', '--no-fund', '--no-progress', '--prefer-offline', '--loglevel=error'], {
    // npm counts otherwise; its errors go to standard error.
    stdio: ['ignore', 'ignore', process.stderr],
    env: { ...process.env, PATH: pathWithoutProjectPrograms(), NODE_OPTIONS: nodeOptions() },
  });
}

function nodeOptions() {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'claim-pinned-version.cjs');
  return [process.env.NODE_OPTIONS, `--require ${JSON.stringify(script)}`].filter(Boolean).join(' ');
}

/** An install may replace the Node release that lies in node_modules, so npm must not itself run on it. */
function pathWithoutProjectPrograms() {
  const projectPrograms = `${sep}node_modules${sep}.bin`;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(projectPrograms))
    .join(delimiter);
}

function hasDevelopmentPackages() {
  return existsSync(record) && Object.values(packagesOf(record)).some(({ dev }) => dev === true);
}

/** The packages that npm installs on this system; of optional ones it may leave out some more. */
function pathsOf({ includes }) {
  return Object.entries(packagesOf(lockfile))
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true && includes(entry) && isForThisSystem(entry))
    .map(([path]) => path);
}

/** A lockfile states one system or several. */
function isForThisSystem({ os = process.platform, cpu = process.arch, libc }) {
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && (libc === undefined || libc.includes(libraryOfC()));
}

let library;

function libraryOfC() {
  // Otherwise the report looks up the names of the machine's connections.
  process.report.excludeNetwork = true;
  library ??= process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return library;
}

function countOf(paths) {
  return paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
}

/** Removes the packages that an interrupted install may have left in pieces: all that npm's record does not name with their version. */
function removeUnrecorded(say) {
  const recorded = existsSync(record) ? packagesOf(record) : {};
  const workspaces = Object.keys(packagesOf(lockfile)).filter((path) => !path.includes('node_modules/'));
  const removed = workspaces.flatMap((path) => removeFrom(path === '' ? 'node_modules' : `${path}/node_modules`, recorded));
  if (removed.length > 0) say(`Removed ${removed.length} packages of an install that did not finish.`);
}

function removeFrom(modules, recorded) {
  return packageNamesIn(modules).flatMap((name) => {
    const path = `${modules}/${name}`;
    if (isAsRecorded(path, recorded[path])) return lstatSync(join(root, path)).isSymbolicLink() ? [] : removeFrom(`${path}/node_modules`, recorded);
    rmSync(join(root, path), { recursive: true, force: true });
    return [path];
  });
}

/** Names of packages, scopes included, and of what npm has set aside during an install, whose names begin with a dot. */
function packageNamesIn(modules) {
  const folder = join(root, modules);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !['.bin', '.cache', '.package-lock.json'].includes(name))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]));
}

function isAsRecorded(path, entry) {
  if (entry === undefined) return false;
  if (entry.link === true) return lstatSync(join(root, path)).isSymbolicLink();
  try {
    return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).version === entry.version;
  } catch {
    return false;
  }
}
