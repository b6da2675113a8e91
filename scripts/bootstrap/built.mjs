import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeLock } from './lock.mjs';
import { sayOnStandardError, withProgress } from './progress.mjs';
import { bundles, programs, root, runOnPinnedNode, stamps } from './run.mjs';
import { FOR_TESTS, scopesWithin } from './scopes.mjs';

const dashboard = join(root, 'apps/dashboard');
const dashboardStamp = join(stamps, 'dashboard-built');
/** Sources of the dashboard, including those of the API contract, which is compiled separately. */
const dashboardSources = [
  ...['src', 'vite', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(dashboard, name)), join(root, 'packages/api-contract/src'),
];
const DEFAULT_LANGUAGE = 'en';
/** Exit codes of a program that SIGINT or SIGTERM ended. */
const STOPPED = [130, 143];
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'];

/** Compiles a scope's workspaces if a source is newer than the last build. */
export async function buildWhenStale(scope, say = sayOnStandardError) {
  if (buildIsFresh(scope)) return;
  say('Compiling.');
  const code = await withProgress({ say, describe: () => 'compiling' }, () => build(scope));
  if (code !== 0) throw new Error('The sources do not compile.');
}

/** Compiles a scope and bundles the programs. Resolves with the exit code of the compiler or the bundler; their output goes to standard error. */
export async function build(scope) {
  const startedAt = new Date();
  const stdio = ['ignore', process.stderr, process.stderr];
  const code = await runOnPinnedNode([programs.tsc, '-b', ...scope.projects], { stdio }) || await runOnPinnedNode([programs.bundler], { stdio });
  if (code === 0) for (const { stamp } of scopesWithin(scope)) writeStamp(join(stamps, stamp), startedAt);
  return code;
}

/** The stamp bears the time at which the build began, so that sources saved during the build count as newer. */
function writeStamp(file, startedAt) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, startedAt, startedAt);
}

function buildIsFresh(scope) {
  const stamp = join(stamps, scope.stamp);
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const workspaces = listWorkspaces(scope);
  const inputs = ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json', 'scripts/bootstrap/run.mjs', 'scripts/bootstrap/bundle-programs.mjs'].map((file) => join(root, file));
  for (const workspace of workspaces) inputs.push(join(workspace, 'package.json'), join(workspace, 'tsconfig.json'));
  return (
    workspaces.every((workspace) => existsSync(join(workspace, 'dist', '.tsbuildinfo'))) &&
    Object.values(bundles).every(({ program }) => existsSync(program)) &&
    inputs.every((file) => statSync(file).mtimeMs <= builtAt) &&
    workspaces.every((workspace) => isOlder(join(workspace, 'src'), builtAt))
  );
}

/** The folders that the compiler builds for a scope: its projects and their references. */
export function listWorkspaces(scope = FOR_TESTS) {
  const found = new Set();
  const waiting = scope.projects.length > 0 ? scope.projects.map((project) => join(root, project)) : referredBy(root);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    waiting.push(...referredBy(folder));
  }
  return [...found];
}

function referredBy(folder) {
  const { references = [] } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => resolve(folder, path));
}

/** Checks folders too: the modification time of a folder changes when a file is added, renamed or removed. */
function isOlder(path, time) {
  const stats = statSync(path);
  if (stats.mtimeMs > time) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time));
}

/**
 * Builds the dashboard if its files are missing or older than their sources. Does nothing if its packages are not installed, as in a
 * production install, which contains the built files. Without them the gateway serves everything but the dashboard. Resolves with the
 * builder's exit code; a start may ignore it. Throws if the builder was stopped by a signal.
 */
export async function buildDashboardWhenStale(say = sayOnStandardError) {
  if (!existsSync(programs.vite) || dashboardIsFresh()) return 0;
  let giveBack;
  try {
    giveBack = await takeLock(`${dashboardStamp}.lock`, () => say('Waiting for another process that builds the dashboard.'));
  } catch (error) {
    if (!NOT_WRITABLE.includes(error.code)) throw error;
    process.stderr.write(`The dashboard is missing or older than its sources and cannot be built: ${error.message}. What was built before is served.\n`);
    return 1;
  }
  try {
    return await buildUnlessFresh(say);
  } finally {
    giveBack();
  }
}

/** Checks first whether another process has built the dashboard in the meantime. */
async function buildUnlessFresh(say) {
  if (dashboardIsFresh()) return 0;
  say('Building the dashboard.');
  const code = await withProgress({ say, describe: () => 'building the dashboard' }, buildDashboard);
  if (STOPPED.includes(code)) throw new Error('Stopped while the dashboard was being built.');
  if (code !== 0) process.stderr.write('The dashboard could not be built. All but /dashboard is served; `npm run build` tries again.\n');
  return code;
}

/** Languages of the dashboard, the default first, because its build empties the folder. */
function dashboardLanguages() {
  return [DEFAULT_LANGUAGE, ...readdirSync(join(dashboard, 'src/texts')).filter((language) => language !== DEFAULT_LANGUAGE)];
}

/** Builds the pages once for each language. Resolves with the builder's exit code; its output goes to standard error. */
async function buildDashboard() {
  const startedAt = new Date();
  for (const language of dashboardLanguages()) {
    const code = await runOnPinnedNode([programs.vite, 'build', dashboard, '--config', join(dashboard, 'vite.config.ts'), '--logLevel', 'warn'], {
      stdio: ['ignore', process.stderr, process.stderr], env: { ...process.env, NODE_ENV: 'production', DASHBOARD_LANGUAGE: language },
    });
    if (code !== 0) return code;
  }
  writeStamp(dashboardStamp, startedAt);
  return 0;
}

function dashboardIsFresh() {
  if (!existsSync(dashboardStamp) || !existsSync(join(root, 'apps/gateway/pages/index.html'))) return false;
  const builtAt = statSync(dashboardStamp).mtimeMs;
  return dashboardSources.every((path) => isOlder(path, builtAt));
}
