/** Runs tasks in order, whether or not earlier ones fail. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task, task);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves once earlier tasks are done. */
  async idle(): Promise<void> {
    await this.last;
  }
}
