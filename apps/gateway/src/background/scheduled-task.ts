import { type Clock, isStoreLost } from '@tollgate/core';
import type { Logger } from 'pino';
import { repeat } from './repeat.js';

/** How a task is scheduled, and what a failure is called in the log. */
interface TaskSchedule {
  /** A function is called again for each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly failureMessage: string;
}

export interface TaskPorts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** A task that runs at intervals from the start of the gateway to its end. A failed run is logged; the next one comes all the same. */
export abstract class ScheduledTask<Ports extends TaskPorts> {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(protected readonly ports: Ports) {}

  protected abstract readonly schedule: TaskSchedule;

  protected abstract run(): Promise<void>;

  start(): void {
    const { ports: { clock, log }, schedule: { intervalMilliseconds, failureMessage } } = this;
    this.#stop = repeat({
      clock,
      intervalMilliseconds,
      task: () => this.run(),
      onFailure: (err) => {
        // The lease keeper reports a store that is lost.
        if (!isStoreLost(err)) log.error({ err }, failureMessage);
      },
    });
  }

  /** Waits for a run in progress. */
  stop(): Promise<void> {
    return this.#stop();
  }
}
