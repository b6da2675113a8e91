/** Concurrent calls share one run. */
export class SharedRun<Result> {
  #running: Promise<Result> | null = null;

  constructor(private readonly work: () => Promise<Result>) {}

  /** Joins the running work, or starts it. Rejects if the work fails; the next call then starts the work again. */
  join(): Promise<Result> {
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
