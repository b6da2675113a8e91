import type { Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';

function unread(): Promise<never> {
  return Promise.reject(new Error('dyingRunner cannot read; it only runs write transactions, and dies in them'));
}

/** A runner whose process dies in `write`, which runs the script on its own connection and closes that without a commit or a rollback. */
export function dyingRunner(write: (script: () => Script<unknown>) => Promise<never>): ScriptRunner {
  return { read: unread, readInSharedThread: unread, readInBackground: unread, write };
}
