import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { nodeModules, pinnedNode, root } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Makes node_modules agree with package-lock.json, and does nothing when it already does.
 * Everything it prints goes to standard error, so a caller's own output stays clean.
 */
export async function installDependencies() {
  if (dependenciesAreInstalled()) return;
  process.stderr.write('Installing the dependencies named in package-lock.json. The first time takes a minute or two.\n');
  // The compiler is a development dependency and is needed to start, also where NODE_ENV says production.
  const code = await run('npm', ['ci', '--include=dev', '--loglevel=error'], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, PATH: pathWithoutProjectPrograms() },
    shell: process.platform === 'win32',
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
