import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { programs, runOnPinnedNode } from './run.mjs';

/** Checks of a full test run. A command is a script for Node, and its arguments. */
export const CHECKS = [
  { name: 'lint', command: [programs.oxlint] },
  { name: 'type check of the tests', command: [programs.tsc, '-p', 'tsconfig.test.json'] },
  { name: 'type check of the dashboard', command: [programs.tsc, '-p', 'apps/dashboard/tsconfig.json'] },
];

/**
 * Runs every check, one at a time, also after one has failed, so that one run shows all problems.
 * Resolves with the name and output of those that failed; until then the output is in files of the folder.
 */
export async function failedChecks(checks, folder) {
  const failed = [];
  for (const { name, command } of checks) {
    const file = join(folder, `${name}.txt`);
    if ((await runQuietly(command, file)) !== 0) failed.push({ name, output: readFileSync(file, 'utf8') });
  }
  return failed;
}

/** Priority of the checks. A process without privileges cannot raise its priority, so this is never above its own. */
const PRIORITY = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);

/** Runs a command with a lower priority than the tests that run at the same time, because some tests measure durations. */
async function runQuietly(command, file) {
  const output = openSync(file, 'w');
  try {
    return await runOnPinnedNode(command, { stdio: ['ignore', output, output], priority: PRIORITY });
  } finally {
    closeSync(output);
  }
}
