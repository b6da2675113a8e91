import { type Clock, isStoreLost } from '@tollgate/core';
import type { Logger } from 'pino';
import { repeat } from './repeat.js';

interface TaskSchedule {
  /** A function is evaluated before each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly failureMessage: string;
}

export interface TaskPorts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Runs periodically from the gateway's start to its end. Failures are logged. */
export abstract class ScheduledTask<Ports extends TaskPorts> {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(protected readonly ports: Ports) {}

  protected abstract readonly schedule: TaskSchedule;

  protected abstract run(): Promise<void>;

  start(): void {
    const { ports: { clock }, schedule: { intervalMilliseconds } } = this;
    this.#stop = repeat({ clock, intervalMilliseconds, task: () => this.run(), onFailure: (err) => this.failed(err) });
  }

  /** Runs once, and logs a failure. */
  async runOnce(): Promise<void> {
    await this.run().catch((err: unknown) => this.failed(err));
  }

  /** Ends the schedule, and waits for a running turn. */
  stop(): Promise<void> {
    return this.#stop();
  }

  /** Logs a failure. A turn that goes on calls it for each item that failed, so that no later failure hides it. */
  protected failed(err: unknown): void {
    // The lease keeper reports a lost store.
    if (!isStoreLost(err)) this.ports.log.error({ err }, this.schedule.failureMessage);
  }
}
