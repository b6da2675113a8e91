import { type Clock, type IdempotencyStore, isStoreLost, later, type Ledger } from '@tollgate/core';
import type { Logger } from 'pino';
import { IDEMPOTENCY_KEPT_MILLISECONDS } from '../routes/generation/idempotency/idempotent-requests.js';
import { every } from './every.js';

export const SWEEP_MILLISECONDS = 2000;

export interface SweeperPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ends what dead processes left: what they held, and the keys of their requests. */
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
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'orphaned reservations could not be swept');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  private async sweep(): Promise<void> {
    const { ledger, idempotency, clock, log } = this.ports;
    const now = clock.now();
    const ended = await ledger.sweep(now);
    if (ended > 0) log.warn({ ended }, 'ended the reservations of a process that is gone');
    await idempotency.sweep(now, later(now, IDEMPOTENCY_KEPT_MILLISECONDS));
  }
}
