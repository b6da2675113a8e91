import type { Clock } from '@tollgate/core';

/** Runs a task at intervals, never twice at a time. */
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

  /** The first run is after one interval. Calls while it is started have no effect. */
  start(): void {
    if (this.#cancel === null) this.#schedule();
  }

  /** Runs no further task. A running one continues. */
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

  /** Skips this run if the previous one has not ended. The task handles its own failures. */
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
