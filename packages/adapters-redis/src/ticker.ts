import type { Clock } from '@tollgate/core';

/** Does one thing again and again, never twice at the same time. */
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

  /** Runs the task for the first time after one interval. Starting it again changes nothing. */
  start(): void {
    if (this.#cancel === null) this.#schedule();
  }

  /** A run that is under way ends by itself. */
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

  /** A run that takes longer than the interval takes the place of the next one. The task reports its own failures. */
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
