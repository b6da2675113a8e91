import { isMainThread } from 'node:worker_threads';

const EVERY_MILLISECONDS = 1_000;

/**
 * Stops this process once `parent` has ended. npm signals the shell that starts scripts, and some shells, such as Debian's, do not forward
 * signals. Does nothing outside npm.
 */
export function followNpm(parent = process.ppid) {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MILLISECONDS).unref();
}

/** Flags that make another Node, which replaces this process, follow npm too. */
export function flagsToFollowNpm() {
  const module = new URL(import.meta.url);
  module.searchParams.set('parent', process.ppid);
  return [`--import=${module.href}`];
}

const parent = new URL(import.meta.url).searchParams.get('parent');
// Worker threads inherit the flags of their process; only the main thread follows npm.
if (parent !== null && isMainThread) followNpm(Number(parent));
