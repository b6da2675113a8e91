import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeModules, programs, root, runOnPinnedNode } from './run.mjs';

const stamps = join(nodeModules, '.cache', 'tollgate');
const stamp = join(stamps, 'built');

const dashboard = join(root, 'apps/dashboard');
const dashboardStamp = join(stamps, 'dashboard-built');
/** What the built files are made of. The contract is compiled before. */
const dashboardSources = [
  ...['src', 'vite', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(dashboard, name)), join(root, 'packages/dashboard-contract/src'),
];
/** What `run` makes of SIGINT and SIGTERM. */
const STOPPED = [130, 143];
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];

/** Compiles the workspaces when a source is newer than the last build, and does nothing otherwise. */
export async function buildWhenStale() {
  if (buildIsFresh()) return;
  process.stderr.write('Compiling.\n');
  const code = await build();
  if (code !== 0) throw new Error('The sources do not compile.');
}

/** Compiles the workspaces and resolves to the compiler's exit code. What the compiler prints goes to standard error. */
export async function build() {
  const startedAt = new Date();
  const code = await runOnPinnedNode([programs.tsc, '-b'], { stdio: ['ignore', process.stderr, process.stderr] });
  if (code === 0) writeStamp(stamp, startedAt);
  return code;
}

/** The stamp bears the time the build began, so that a source saved while it ran counts as newer. */
function writeStamp(file, startedAt) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, startedAt, startedAt);
}

function buildIsFresh() {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const workspaces = listWorkspaces();
  const inputs = ['tsconfig.base.json', 'tsconfig.json'].map((file) => join(root, file));
  for (const workspace of workspaces) inputs.push(join(workspace, 'package.json'), join(workspace, 'tsconfig.json'));
  return (
    workspaces.every((workspace) => existsSync(join(workspace, 'dist', '.tsbuildinfo'))) &&
    inputs.every((file) => statSync(file).mtimeMs <= builtAt) &&
    workspaces.every((workspace) => isOlder(join(workspace, 'src'), builtAt))
  );
}

/** The folders that the compiler builds: packages, apps and tools, but for the dashboard, which its bundler builds. */
export function listWorkspaces() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => join(root, path));
}

/** A folder's own time changes when a file in it is added, renamed or removed. */
function isOlder(path, time) {
  const stats = statSync(path);
  if (stats.mtimeMs > time) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time));
}

/**
 * Builds the dashboard where its files are missing or older than their sources. Does nothing where its packages are not installed,
 * as in a production install, which brings the built files. Without them the gateway serves all but the dashboard.
 * Resolves to the builder's exit code, which no start has to heed. Throws when the builder was told to stop, and the start with it.
 */
export async function buildDashboardWhenStale() {
  if (!existsSync(programs.vite) || dashboardIsFresh()) return 0;
  let giveBack;
  try {
    giveBack = await takeLock(`${dashboardStamp}.lock`, () => process.stderr.write('Waiting for another process that builds the dashboard.\n'));
  } catch (error) {
    if (!NOT_WRITABLE.includes(error.code)) throw error;
    process.stderr.write(`The dashboard is missing or older than its sources and cannot be built: ${error.message}. What was built before is served.\n`);
    return 1;
  }
  try {
    return await buildUnlessFresh();
  } finally {
    giveBack();
  }
}

/** Another process may have built it while this one waited. */
async function buildUnlessFresh() {
  if (dashboardIsFresh()) return 0;
  process.stderr.write('Building the dashboard.\n');
  const code = await buildDashboard();
  if (STOPPED.includes(code)) throw new Error('Stopped while the dashboard was being built.');
  if (code !== 0) process.stderr.write('The dashboard could not be built. All but /dashboard is served; `npm run build` tries again.\n');
  return code;
}

/** Builds the dashboard and resolves to the builder's exit code. What it prints goes to standard error. */
async function buildDashboard() {
  const startedAt = new Date();
  const code = await runOnPinnedNode([programs.vite, 'build', dashboard, '--config', join(dashboard, 'vite.config.ts'), '--logLevel', 'warn'], {
    stdio: ['ignore', process.stderr, process.stderr], env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code === 0) writeStamp(dashboardStamp, startedAt);
  return code;
}

function dashboardIsFresh() {
  if (!existsSync(dashboardStamp) || !existsSync(join(dashboard, 'dist/index.html'))) return false;
  const builtAt = statSync(dashboardStamp).mtimeMs;
  return dashboardSources.every((path) => isOlder(path, builtAt));
}

const EVERY_MILLISECONDS = 200;
/** The holder renews its lock this often. */
const RENEWAL_MILLISECONDS = 1_000;
/** A holder that has not renewed its lock for so long has ended. */
const ENDED_MILLISECONDS = 10_000;

/**
 * Takes the lock, which is a folder, and resolves to a function that gives it back. A lock that is no longer renewed is taken over.
 * Calls `waits` once where another process holds it. Rejects where the folder cannot be made.
 */
async function takeLock(folder, waits) {
  mkdirSync(dirname(folder), { recursive: true });
  let hasSaid = false;
  while (!takes(folder)) {
    if (!hasSaid) waits();
    hasSaid = true;
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MILLISECONDS); });
  }
  const renewal = setInterval(() => renew(folder), RENEWAL_MILLISECONDS);
  return () => {
    clearInterval(renewal);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Takes the lock; false where another process holds it. */
function takes(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!hasEnded(folder)) return false;
    remove(folder);
    return takes(folder);
  }
}

function hasEnded(folder) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ENDED_MILLISECONDS;
}

/** By a name of this process's own first, since only one process can rename a folder. */
function remove(folder) {
  const own = `${folder}.${process.pid}`;
  try {
    renameSync(folder, own);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(own, { recursive: true, force: true });
}

function renew(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Taken over while this process stood still: both build, which costs time and nothing else.
  }
}
