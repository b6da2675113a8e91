import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { secondsSince } from './bootstrap/progress.mjs';
import { root } from './bootstrap/run.mjs';
import { checkContainer } from './image/checks.mjs';
import { buildImage, findEngine, importBase } from './image/engines.mjs';

const USAGE = `npm run image -- [options]

Builds the container image of this checkout with docker, podman or buildah, whichever works here, and checks it: it starts a container
with a read-only root file system, waits until it is ready, looks at its user, sends a request that is charged, and stops it by SIGTERM.
Buildah needs no daemon; as it runs no containers, the checks then run the image in a chroot, which needs root.
The exit code is 1 if the build or a check fails.

  --engine NAME   docker, podman or buildah; the first of them that works unless given
  --base IMAGE    the image of Node to build on, in place of the Dockerfile's; or a folder with its root file system,
                  for a machine that reaches no registry of images
  --tag NAME      the name of the image; tollgate and the version of package.json unless given
  --help          prints this
`;

const OPTIONS = { engine: { type: 'string' }, base: { type: 'string' }, tag: { type: 'string' } };

await endWith(async () => {
  const given = readOptions(USAGE, { options: OPTIONS });
  if (given === null) return 0;
  const { tag = `tollgate:${version()}`, engine: name } = given.values;
  const engine = findEngine(name);
  const base = await imageOf(engine, given.values.base);
  const startedAt = Date.now();
  say(`Building ${tag} with ${engine.name}.`);
  await buildImage(engine, { tag, base, revision: revision() });
  say(`Built ${tag} in ${secondsSince(startedAt)} s. Checking it.`);
  const container = await engine.start(engine, tag);
  try {
    await checkContainer(container, say);
  } finally {
    container.remove();
  }
  return 0;
});

function say(line) {
  process.stdout.write(`${line}\n`);
}

async function imageOf(engine, base) {
  return base !== undefined && existsSync(base) ? importBase(engine, base) : base;
}

function version() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** Commit of the checkout; `undefined` outside git. */
function revision() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
