/** Long work of which one run is enough at a time: calls during a run share its result. */
export class SharedRun<Result> {
  #running: Promise<Result> | null = null;

  constructor(private readonly work: () => Promise<Result>) {}

  /** Fails as the run does; the next call begins another. */
  join(): Promise<Result> {
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
