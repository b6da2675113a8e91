import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const EVERY_MILLISECONDS = 200;
/** A process that has held it longer has died. */
const LONGEST_MILLISECONDS = 180_000;

/** Runs `work` while no other process runs under the same lock, which is a folder. */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!takes(folder)) await new Promise((resolve) => { setTimeout(resolve, EVERY_MILLISECONDS); });
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes the lock; false where another process holds it. */
function takes(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (age(folder) > LONGEST_MILLISECONDS) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function age(folder) {
  return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
