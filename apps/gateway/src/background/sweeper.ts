import type { Clock, Ledger } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

export const SWEEP_MILLISECONDS = 2000;

export interface SweeperPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ends what dead processes left held. */
export class Sweeper {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: SweeperPorts) {}

  /** Sweeps once, then every two seconds; resolves after the first sweep. */
  async start(): Promise<void> {
    const { clock, log } = this.ports;
    await this.sweep();
    this.#stop = every({
      clock,
      intervalMilliseconds: SWEEP_MILLISECONDS,
      task: () => this.sweep(),
      onFailure: (err) => log.error({ err }, 'orphaned reservations could not be swept'),
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  private async sweep(): Promise<void> {
    const { ledger, clock, log } = this.ports;
    const ended = await ledger.sweep(clock.now());
    if (ended > 0) log.warn({ ended }, 'ended the reservations of a process that is gone');
  }
}
