import { isStoreAway } from './store-failures.js';

/**
 * Runs the task for one item after the other, also after a failure, and throws the first failure at the end. A failure for which `isFinal` is true,
 * by default that of an unavailable store, is thrown at once, because all further items would fail too.
 */
export async function tryInTurn<Item>(items: readonly Item[], task: (item: Item) => Promise<unknown>, isFinal: (failure: unknown) => boolean = isStoreAway): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    const [result] = await Promise.allSettled([Promise.resolve(item).then(task)]);
    if (result.status === 'fulfilled') continue;
    if (isFinal(result.reason)) throw result.reason;
    failures.push(result.reason);
  }
  if (failures.length > 0) throw failures[0];
}
