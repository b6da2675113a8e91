import { constants, fstatSync, openSync } from 'node:fs';

/** One for the process. */
let unblocked: number | null = null;

/** Opens the same pipe or terminal once more, so that those who share the descriptor keep theirs as it is. Linux only. */
function reopened(descriptor: number): number | null {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/**
 * Standard error as a descriptor that answers "later" where it would block: a pipe that nobody reads would hold a thread of the
 * process for ever, and the end of the process with it. Files do not block.
 */
export function unblockedStandardError(): number {
  unblocked ??= unblock(process.stderr.fd);
  return unblocked;
}

function unblock(descriptor: number): number {
  if (fstatSync(descriptor).isFile()) return descriptor;
  // A socket cannot be opened again; Node makes it non-blocking itself when `process.stderr` is first read.
  return reopened(descriptor) ?? descriptor;
}
