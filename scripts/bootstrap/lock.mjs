import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const EVERY_MILLISECONDS = 200;
/** Between making the folder and writing the process id, a holder needs far less. */
const UNNAMED_MILLISECONDS = 2_000;

/**
 * Runs `work` while no other process runs under the same lock, which is a folder that names its holder's process.
 * The lock of a process that has ended is taken over. Calls `waits` once where a running process holds it.
 */
export async function withLock(folder, { waits, work }) {
  mkdirSync(dirname(folder), { recursive: true });
  let hasSaid = false;
  while (!takes(folder)) {
    if (!hasSaid) waits();
    hasSaid = true;
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MILLISECONDS); });
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes the lock; false where a running process holds it. */
function takes(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isHeld(folder)) return false;
    rmSync(folder, { recursive: true, force: true });
    return takes(folder);
  }
  writeFileSync(holderFile(folder), `${process.pid}`);
  return true;
}

function holderFile(folder) {
  return join(folder, 'process');
}

function isHeld(folder) {
  try {
    return isRunning(Number(readFileSync(holderFile(folder), 'utf8')));
  } catch {
    const begunAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - begunAt < UNNAMED_MILLISECONDS;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
