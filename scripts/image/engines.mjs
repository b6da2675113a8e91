import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { outputOf, run } from '../bootstrap/run.mjs';
import { startByChroot } from './start-by-chroot.mjs';
import { startByEngine } from './start-by-engine.mjs';

/** Tag of an image that is imported from a folder. */
const IMPORTED = 'localhost/tollgate-base:latest';

/**
 * A program that builds images.
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly string[]} build the arguments that come before the options of a build
 * @property {(name: string, folder: string) => Promise<void>} importFolder makes an image of a root file system
 * @property {typeof startByEngine} start starts a container
 */

/** In the order in which they are looked for. @type {readonly Engine[]} */
export const ENGINES = [
  { name: 'docker', build: ['build'], importFolder: importTar, start: startByEngine },
  // The Docker format keeps the health check; the OCI format drops it.
  { name: 'podman', build: ['build', '--format', 'docker'], importFolder: importTar, start: startByEngine },
  // Chroot isolation needs neither a daemon nor user namespaces.
  { name: 'buildah', build: ['build', '--isolation', 'chroot', '--format', 'docker'], importFolder: commitFolder, start: startByChroot },
];

/**
 * The engine of this name, or the first that can build here. docker's client responds even without a daemon, which it needs to build. Throws if there
 * is none.
 */
export function findEngine(name) {
  const candidates = name === undefined ? ENGINES : ENGINES.filter((engine) => engine.name === name);
  if (candidates.length === 0) throw new Error(`There is no engine ${name}; there are ${ENGINES.map((engine) => engine.name).join(', ')}.`);
  const found = candidates.find((engine) => spawnSync(engine.name, ['info'], { stdio: 'ignore' }).status === 0);
  if (found !== undefined) return found;
  const missing = candidates.map((engine) => `"${engine.name} info"`).join(', ');
  throw new Error(`No program that builds images works here (${missing} failed). Start docker, or install podman or buildah, which needs no daemon: "apt-get install buildah" on Debian or Ubuntu.`);
}

/** Builds the image. Throws if the engine fails. */
export async function buildImage(engine, { tag, base, revision }) {
  const given = Object.entries({ NODE_IMAGE: base, REVISION: revision }).filter(([, value]) => value !== undefined);
  await succeed(engine.name, [...engine.build, ...given.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]), '--tag', tag, '.']);
}

/** Imports a root file system as an image; resolves with its tag. */
export async function importBase(engine, folder) {
  await engine.importFolder(engine.name, folder);
  return IMPORTED;
}

async function importTar(name, folder) {
  const tar = spawn('tar', ['--create', '--file=-', `--directory=${folder}`, '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const importing = spawn(name, ['import', '-', IMPORTED], { stdio: [tar.stdout, process.stderr, 'inherit'] });
  const [code] = await once(importing, 'exit');
  if (code !== 0) throw new Error(`"${name} import" ended with code ${code}.`);
}

async function commitFolder(name, folder) {
  const container = outputOf(name, ['from', 'scratch']);
  await succeed(name, ['copy', '--quiet', container, folder, '/']);
  await succeed(name, ['commit', '--quiet', '--rm', container, IMPORTED]);
}

async function succeed(name, commandArguments) {
  const code = await run(name, commandArguments, { stdio: ['ignore', process.stderr, process.stderr] });
  if (code !== 0) throw new Error(`"${name} ${commandArguments[0]}" ended with code ${code}.`);
}
