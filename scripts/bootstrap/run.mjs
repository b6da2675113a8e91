import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { pinnedNode, programs, root } from './paths.mjs';

/**
 * Runs a program in the project folder and resolves to its exit code, once it has ended.
 * A program ended by a signal counts as 128 plus the signal's number, as shells count it.
 */
export function run(command, programArguments, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, programArguments, { cwd: root, stdio: 'inherit', ...options });
    const stopForwarding = forwardSignals(child);
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

/** Runs a script on the pinned Node release, whatever release the machine offers. */
export function runOnPinnedNode(nodeArguments, options) {
  return run(pinnedNode, nodeArguments, options);
}

/** Runs jest, with these variables beside those of this process, and resolves to its exit code. */
export function runJest(jestArguments, { env = {}, ...options } = {}) {
  return runOnPinnedNode([programs.jest, ...jestArguments], { ...options, env: { ...process.env, NODE_OPTIONS: nodeOptions(), ...env } });
}

/** jest runs native modules only with the first of these flags, and Node warns about it once in every worker. */
function nodeOptions() {
  return [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' ');
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
