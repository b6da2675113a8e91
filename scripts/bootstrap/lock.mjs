import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';

const EVERY_MILLISECONDS = 200;
/** The holder renews its lock this often. */
const RENEWAL_MILLISECONDS = 1_000;
/** A holder that has not renewed its lock for so long has ended. */
const ENDED_MILLISECONDS = 10_000;

/**
 * Takes the lock, which is a folder, and resolves to a function that gives it back. A lock that is no longer renewed is taken over.
 * Calls `waits` once where another process holds it. Rejects where the folder cannot be made.
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

/** Takes the lock; false where another process holds it. */
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

/** By a name of this process's own first, since only one process can rename a folder. */
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
    // Taken over while this process stood still: both build, which costs time and nothing else.
  }
}
