function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Spreads what takes long over turns of the event loop, so that much of it at once does not hold up everything else. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop that nobody else gets here, in the order of asking. */
  take(): Promise<void> {
    this.#last = this.#last.then(nextTurn);
    return this.#last;
  }
}
