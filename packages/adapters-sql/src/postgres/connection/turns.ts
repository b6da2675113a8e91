/** Does one thing after the other, in the order they were asked for, whether or not those before it fail. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task, task);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves once everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.last;
  }
}
