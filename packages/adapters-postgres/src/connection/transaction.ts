import { isTransient } from './connection-failures.js';
import type { Session } from './session.js';

/** Rolls back if the task fails. After a transient error, the pool closes the connection instead. */
export async function undoing<T>(session: Session, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (thrown) {
    if (!isTransient(thrown)) await session.query('rollback');
    throw thrown;
  }
}

export async function inTransaction<T>(session: Session, begin: string, task: () => Promise<T>): Promise<T> {
  await session.query(begin);
  return undoing(session, async () => {
    const result = await task();
    await session.query('commit');
    return result;
  });
}
