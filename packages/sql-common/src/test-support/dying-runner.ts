import type { Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';

function unread(): Promise<never> {
  return Promise.reject(new Error('this runner dies in transactions; it does not read'));
}

/** `write` runs a script on a connection of its own, and ends this without a commit or a rollback. */
export function dyingRunner(write: (script: () => Script<unknown>) => Promise<never>): ScriptRunner {
  return { read: unread, readInSharedThread: unread, readInBackground: unread, write };
}
