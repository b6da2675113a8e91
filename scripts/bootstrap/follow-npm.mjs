import { isMainThread } from 'node:worker_threads';

const EVERY_MILLISECONDS = 1_000;

/**
 * Asks this process to stop once `parent` has ended. npm hands a signal to the shell that it starts scripts with, and some shells, such as
 * that of Debian, end without handing it on. Does nothing outside npm, where a process may outlive its parent on purpose.
 */
export function followNpm(parent = process.ppid) {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MILLISECONDS).unref();
}

/** What lets a Node that takes the place of this process follow the same parent. */
export function flagsToFollowNpm() {
  const module = new URL(import.meta.url);
  module.searchParams.set('parent', process.ppid);
  return [`--import=${module.href}`];
}

const parent = new URL(import.meta.url).searchParams.get('parent');
// Threads get the flags of their process.
if (parent !== null && isMainThread) followNpm(Number(parent));
