import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';

const EVERY_MILLISECONDS = 200;
/** Interval at which the holder renews its lock. */
const RENEWAL_MILLISECONDS = 1_000;
/** Age after which a lock counts as abandoned. */
const ENDED_MILLISECONDS = 10_000;

/**
 * Takes a lock, which is a folder, and resolves with a function that releases it. Abandoned locks are taken over. Calls `waits` once if
 * another process has it. Rejects if the folder cannot be created.
 */
export async function takeLock(folder, waits) {
  mkdirSync(dirname(folder), { recursive: true });
  let hasSaid = false;
  while (!takes(folder)) {
    if (!hasSaid) waits();
    hasSaid = true;
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MILLISECONDS); });
  }
  const renewal = setInterval(() => renew(folder), RENEWAL_MILLISECONDS);
  return () => {
    clearInterval(renewal);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Tries to take the lock; false if another process has it. */
function takes(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!hasEnded(folder)) return false;
    remove(folder);
    return takes(folder);
  }
}

function hasEnded(folder) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ENDED_MILLISECONDS;
}

/** Removes an abandoned lock. Renaming the folder first lets only one process succeed. */
function remove(folder) {
  const own = `${folder}.${process.pid}`;
  try {
    renameSync(folder, own);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(own, { recursive: true, force: true });
}

function renew(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Another process took over the lock while this one was suspended. Both do the work, which costs only time.
  }
}
