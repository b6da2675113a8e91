/** Runs tasks one at a time, in order. A failed task does not stop the later ones. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task, task);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all earlier tasks have ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}
