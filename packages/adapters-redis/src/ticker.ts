import type { Clock } from '@tollgate/core';

/** Repeats a task without overlap. */
export class Ticker {
  #cancel: (() => void) | null = null;
  #running = false;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMilliseconds: number,
    private readonly task: () => Promise<void>,
  ) {}

  get isStarted(): boolean {
    return this.#cancel !== null;
  }

  /** The first tick comes after one interval. Repeated calls do nothing. */
  start(): void {
    if (this.#cancel === null) this.#schedule();
  }

  /** Does not interrupt a running task. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #schedule(): void {
    this.#cancel = this.clock.schedule(this.intervalMilliseconds, () => {
      this.#schedule();
      void this.#run();
    });
  }

  /** Does nothing while the previous run continues. The task reports its own failures. */
  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      await this.task();
    } finally {
      this.#running = false;
    }
  }
}
