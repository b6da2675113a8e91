import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeModules, programs, root, runOnPinnedNode } from './run.mjs';

const stamp = join(nodeModules, '.cache', 'tollgate', 'built');

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
  if (code === 0) writeStamp(startedAt);
  return code;
}

/** The stamp bears the time the build began, so that a source saved while it ran counts as newer. */
function writeStamp(startedAt) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
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
    workspaces.every((workspace) => folderIsOlder(join(workspace, 'src'), builtAt))
  );
}

/** The folders that the compiler builds: packages, apps and tools, but for the dashboard, which its bundler builds. */
export function listWorkspaces() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => join(root, path));
}

/** A folder's own time changes when a file in it is added, renamed or removed. */
function folderIsOlder(folder, time) {
  if (statSync(folder).mtimeMs > time) return false;
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? folderIsOlder(path, time) : statSync(path).mtimeMs <= time;
  });
}
