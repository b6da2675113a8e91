/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Spreads tasks that take long over turns of the event loop, so that many at once do not hold up everything else. */
export class TurnQueue {
  #free: Promise<void> = Promise.resolve();

  /** Runs a task in a turn of its own, in the order of asking. The turn after it is left to what follows from the task. */
  run<T>(task: () => T): Promise<T> {
    const done = this.#free.then(nextTurn).then(task);
    this.#free = done.then(nextTurn, nextTurn);
    return done;
  }
}
