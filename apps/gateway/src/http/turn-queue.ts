import { SharedPlaces } from '@tollgate/core';

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Tasks that begin in one turn of the event loop. */
export const MAX_TASKS_OF_TURN = 1;

/** Spreads tasks that take long over turns of the event loop, so that many at once do not hold up everything else. */
export class TurnQueue {
  readonly #turns = new SharedPlaces<string>(MAX_TASKS_OF_TURN);

  /**
   * Runs a task in a turn of its own: the tasks of a holder, an account or a network, in their order, and holder by holder. The turn after it is left
   * to what follows from the task. A promise that the task returns is not waited for before the next task.
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
