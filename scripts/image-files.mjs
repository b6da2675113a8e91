import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { bundles, nodeModules, root } from './bootstrap/run.mjs';

const USAGE = `node scripts/image-files.mjs FOLDER

Copies to FOLDER the files of the container image, laid out as in the image: app/ with the compiled workspaces that a production install
has linked, the built dashboard and the installed packages, and the command usr/local/bin/tollgate. The Dockerfile runs it after
npm run build and npm ci --omit=dev. It takes no options but --help.
`;

const NOT_LOADED = /\.(d\.[cm]?ts|map|tsbuildinfo)$/;
/** Parts of better-sqlite3 that are not needed at runtime, 24 of 28 MB: its sources, and builds for other systems. */
const SQLITE_SOURCES = ['deps', 'src', 'binding.gyp'].map((name) => join(nodeModules, 'better-sqlite3', name));
const SQLITE_BUILDS = join(nodeModules, 'better-sqlite3', 'prebuilds');
const BUILD_OF_THIS_SYSTEM = new RegExp(`^${process.platform}(musl)?-${process.arch}\\.node$`);

const COMMAND = `#!/bin/sh\nexec node /app/${relative(root, bundles.cli.program)} "$@"\n`;

await endWith(async () => {
  const given = readOptions(USAGE, { allowPositionals: true });
  if (given === null) return 0;
  const [folder, ...more] = given.positionals;
  if (folder === undefined || more.length > 0) throw new Error(USAGE.trimEnd());
  collect(resolve(folder));
  return 0;
});

function collect(folder) {
  const files = [
    'package.json', 'node_modules', ...Object.values(bundles).map((bundle) => relative(root, bundle.folder)),
    // npm installs another copy of a package in a workspace that needs a different version of it.
    ...linkedWorkspaces().flatMap((workspace) => ['package.json', 'node_modules', ...filesOf(workspace)].map((name) => join(workspace, name))),
  ].filter((file) => existsSync(join(root, file)));
  for (const file of files) cpSync(join(root, file), join(folder, 'app', file), { recursive: true, verbatimSymlinks: true, filter: isLoaded });
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
  writeFileSync(join(folder, 'usr/local/bin/tollgate'), COMMAND, { mode: 0o755 });
}

/** Workspaces that npm has linked: the programs and their packages. */
function linkedWorkspaces() {
  const links = join(nodeModules, '@tollgate');
  return readdirSync(links).map((name) => relative(root, realpathSync(join(links, name))));
}

/** Files that a workspace publishes: compiled sources, scripts and SQL statements. */
function filesOf(workspace) {
  const { files } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
  return files.filter((name) => !name.startsWith('!'));
}

function isLoaded(path) {
  if (NOT_LOADED.test(path) || SQLITE_SOURCES.includes(path) || path === join(nodeModules, '@types')) return false;
  return !path.startsWith(SQLITE_BUILDS + sep) || BUILD_OF_THIS_SYSTEM.test(basename(path));
}
