import { SharedPlaces } from '@tollgate/core';

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export const MAX_TASKS_OF_TURN = 1;

/** Runs long tasks in separate event loop turns. */
export class TurnQueue {
  readonly #turns = new SharedPlaces<string>(MAX_TASKS_OF_TURN);

  /**
   * Runs each task in a turn of its own; holders (accounts or networks) alternate. The next turn is left free for follow-up work. A returned promise
   * does not delay the next task.
   */
  async run<T>(holder: string, task: () => T | Promise<T>): Promise<T> {
    if (!this.#turns.tryTake(holder)) await this.#turn(holder);
    await nextTurn();
    setImmediate(() => this.#turns.giveBack(holder));
    return task();
  }

  #turn(holder: string): Promise<void> {
    return new Promise((start) => {
      this.#turns.wait(holder, start);
    });
  }
}
