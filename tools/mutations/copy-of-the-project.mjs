import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listWorkspaces } from '../../scripts/bootstrap/built.mjs';
import { root } from '../../scripts/bootstrap/paths.mjs';

/** The project's own files as they are now, also those that are not committed yet. */
function ownFiles() {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`git cannot list the project's files: ${stderr}`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** As links to the same files where the file system has them, since they are many and nothing writes to them. */
function linkFolder(from, to) {
  const linked = spawnSync('cp', ['-al', from, to], { encoding: 'utf8' });
  if (linked.status !== 0) throw new Error(`${from} cannot be linked to ${to}: ${linked.stderr}`);
}

function linkDependencies(copy) {
  const folders = [root, ...listWorkspaces()].map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder));
  for (const folder of folders) linkFolder(folder, join(copy, relative(root, folder)));
}

/** Runs a task with the path of a copy in which everything may be broken, and removes the copy afterwards. */
export async function withCopyOfTheProject(task) {
  // Beside the project, since links do not reach into another file system.
  const copy = mkdtempSync(join(dirname(root), '.tollgate-mutations-'));
  try {
    for (const file of ownFiles()) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      copyFileSync(join(root, file), join(copy, file));
    }
    linkDependencies(copy);
    return await task(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
