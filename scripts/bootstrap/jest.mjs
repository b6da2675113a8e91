import { programs } from './paths.mjs';
import { runOnPinnedNode } from './run.mjs';

/** Runs jest, with these variables beside those of this process, and resolves to its exit code. */
export function runJest(jestArguments, { env = {}, ...options } = {}) {
  return runOnPinnedNode([programs.jest, ...jestArguments], { ...options, env: { ...process.env, NODE_OPTIONS: nodeOptions(), ...env } });
}

/** jest runs native modules only with the first of these flags, and Node warns about it once in every worker. */
function nodeOptions() {
  return [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' ');
}
