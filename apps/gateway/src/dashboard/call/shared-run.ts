/** Concurrent calls share one run. */
export class SharedRun<Result> {
  #running: Promise<Result> | null = null;

  constructor(private readonly work: () => Promise<Result>) {}

  /** Rejects as the run does; the next call starts another. */
  join(): Promise<Result> {
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
