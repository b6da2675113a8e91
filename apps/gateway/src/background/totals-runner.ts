import { type AllAccountsUsage, type Clock, isStoreLost, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

export const TOTALS_INTERVAL_MILLISECONDS = MILLISECONDS_PER_HOUR;

export interface TotalsRunnerPorts {
  readonly allUsage: AllAccountsUsage;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sums up the usage of all accounts once an hour if there is any, so that an operator's first look after days finds little left to do. */
export class TotalsRunner {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: TotalsRunnerPorts) {}

  start(): void {
    const { allUsage, clock, log } = this.ports;
    this.#stop = every({
      clock,
      intervalMilliseconds: TOTALS_INTERVAL_MILLISECONDS,
      task: () => allUsage.catchUp(),
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'the usage of all accounts could not be summed up; it is tried again');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
