import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';
import { sayOnStandardError, secondsSince, withProgress } from './progress.mjs';
import { missingNode, nodeModules, root, runNpm, stamps } from './run.mjs';
import { FOR_TESTS } from './scopes.mjs';

const lockfile = join(root, 'package-lock.json');
/** npm writes this file at the end of a successful install. */
const record = join(nodeModules, '.package-lock.json');
/** Exists from the beginning of an install until the install has succeeded. */
const unfinished = join(stamps, 'install-unfinished');

/**
 * Installs a scope's packages from package-lock.json unless they are installed. Keeps installed packages, because a gateway may be running
 * from them. Throws with a sentence if npm fails.
 */
export async function installDependencies(scope, say = sayOnStandardError) {
  if (isInstalled(scope)) return;
  const giveBack = await takeLock(join(stamps, 'install.lock'), () => say('Waiting for another process that installs packages.'));
  try {
    // Another process may have installed the packages while this one waited.
    if (!isInstalled(scope)) await install(scope, say);
  } finally {
    giveBack();
  }
}

function isInstalled(scope) {
  return !existsSync(unfinished) && existsSync(record) && missingNode() === null && findMissing(scope) === undefined;
}

/** The first package of a scope that npm's record lacks or has in another version. The record is correct after any install. */
function findMissing({ includes }) {
  const installed = packagesOf(record);
  const [path] = Object.entries(packagesOf(lockfile)).find(([name, wanted]) => {
    // The entry with the empty path is the project itself.
    if (name === '' || !includes(wanted)) return false;
    const found = installed[name];
    if (found === undefined) return !isOptional(wanted) || (wanted.os !== undefined && isForThisSystem(wanted));
    return found.version !== wanted.version || found.link !== wanted.link || !existsSync(join(root, name));
  }) ?? [];
  return path;
}

/** True for packages that npm omits on systems for which they are not made. */
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
  // An install of the narrower scope would remove test packages that an earlier install added.
  const wider = hasDevelopmentPackages() ? FOR_TESTS : scope;
  const paths = pathsOf(wider);
  say(`Installing about ${paths.length} packages: ${wider.words}.`);
  const code = await withProgress({ say, describe: () => `${countOf(paths)} of about ${paths.length} packages` }, () => installByNpm(wider));
  if (code !== 0) throw new Error(`npm install ended with code ${code}. Run this again to continue; that does not disturb a gateway that runs from this folder.`);
  const problem = missingNode();
  if (problem !== null) throw new Error(problem);
  rmSync(unfinished);
  const missing = findMissing(scope);
  if (missing !== undefined) throw new Error(`npm has not installed ${missing} in the version that package-lock.json names. Run this again; if that does not help, the lockfile does not agree with package.json.`);
  say(`Installed ${countOf(paths)} packages in ${secondsSince(startedAt)} s.`);
}

/**
 * Not `npm ci`, which removes node_modules first. With --no-save, npm follows the lockfile without writing it. npm omits optional packages that its
 * own Node cannot load, such as the bundler's on Node 18, so a script makes npm take its Node for the pinned release.
 */
function installByNpm({ options }) {
  return runNpm(['install', '--no-save', ...options, '--include=optional', '--no-audit', '--no-fund', '--no-progress', '--prefer-offline', '--loglevel=error'], {
    // Hides npm's summary; its errors go to standard error.
    stdio: ['ignore', 'ignore', process.stderr],
    env: { ...process.env, PATH: pathWithoutProjectPrograms(), NODE_OPTIONS: nodeOptions() },
  });
}

function nodeOptions() {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'claim-pinned-version.cjs');
  return [process.env.NODE_OPTIONS, `--require ${JSON.stringify(script)}`].filter(Boolean).join(' ');
}

/** `PATH` without the programs of node_modules: an install may replace the Node release there, so npm must not run on it. */
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

/** Paths of the packages of a scope for this system. npm may omit optional ones. */
function pathsOf({ includes }) {
  return Object.entries(packagesOf(lockfile))
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true && includes(entry) && isForThisSystem(entry))
    .map(([path]) => path);
}

/** True if a package is made for this system. Each field of its entry may name one system or several. */
function isForThisSystem({ os = process.platform, cpu = process.arch, libc }) {
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && (libc === undefined || libc.includes(libraryOfC()));
}

let library;

function libraryOfC() {
  // Without this, the report would resolve the host names of open connections.
  process.report.excludeNetwork = true;
  library ??= process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return library;
}

function countOf(paths) {
  return paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
}

/** Removes packages that an interrupted install may have left incomplete: all that npm's record does not list in the installed version. */
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

/** Names of packages in a node_modules folder, scoped ones included, and of the dot folders that npm leaves during an install. */
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
