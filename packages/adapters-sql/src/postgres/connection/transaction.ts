import { isPassing } from './database-errors.js';
import type { Session } from './session.js';

/** Undoes what the session has begun when the task fails, unless that is the end of the session anyway. */
export async function undoing<T>(session: Session, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (thrown) {
    if (!isPassing(thrown)) await session.query('rollback');
    throw thrown;
  }
}

/** Runs a task in a transaction that begins as told. */
export async function inTransaction<T>(session: Session, begin: string, task: () => Promise<T>): Promise<T> {
  await session.query(begin);
  return undoing(session, async () => {
    const result = await task();
    await session.query('commit');
    return result;
  });
}
