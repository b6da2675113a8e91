import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeLock } from './lock.mjs';
import { nodeModules, programs, root } from './paths.mjs';
import { runOnPinnedNode } from './run.mjs';

const folder = join(root, 'apps/dashboard');
const stamp = join(nodeModules, '.cache', 'tollgate', 'dashboard-built');
/** What the built files are made of. The contract is compiled before. */
const sources = ['src', 'vite', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(folder, name));
const contract = join(root, 'packages/dashboard-contract/src');
/** What `run` makes of SIGINT and SIGTERM. */
const STOPPED = [130, 143];

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];

/**
 * Builds the dashboard where its files are missing or older than their sources. Does nothing where its packages are not installed,
 * as in a production install, which brings the built files. Without them the gateway serves all but the dashboard.
 * Resolves to the builder's exit code, which no start has to heed. Throws when the builder was told to stop, and the start with it.
 */
export async function buildDashboardWhenStale() {
  if (!existsSync(programs.vite) || isFresh()) return 0;
  let giveBack;
  try {
    giveBack = await takeLock(`${stamp}.lock`, () => process.stderr.write('Waiting for another process that builds the dashboard.\n'));
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
  if (isFresh()) return 0;
  process.stderr.write('Building the dashboard.\n');
  const code = await buildDashboard();
  if (STOPPED.includes(code)) throw new Error('Stopped while the dashboard was being built.');
  if (code !== 0) process.stderr.write('The dashboard could not be built. All but /dashboard is served; `npm run build` tries again.\n');
  return code;
}

/** Builds the dashboard and resolves to the builder's exit code. What it prints goes to standard error. */
export async function buildDashboard() {
  const startedAt = new Date();
  const code = await runOnPinnedNode([programs.vite, 'build', folder, '--config', join(folder, 'vite.config.ts'), '--logLevel', 'warn'], {
    stdio: ['ignore', process.stderr, process.stderr], env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code === 0) writeStamp(startedAt);
  return code;
}

function writeStamp(startedAt) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

function isFresh() {
  if (!existsSync(stamp) || !existsSync(join(folder, 'dist/index.html'))) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return [...sources, contract].every((path) => isOlder(path, builtAt));
}

function isOlder(path, time) {
  const stats = statSync(path);
  if (stats.mtimeMs > time) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time));
}
