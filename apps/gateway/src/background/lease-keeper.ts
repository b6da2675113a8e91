import { type Clock, type Ledger, later, type ProcessId, type RunningGenerations } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

export const LEASE_MILLISECONDS = 15_000;
export const LEASE_RENEWAL_MILLISECONDS = 5000;

export interface LeaseKeeperPorts {
  readonly ledger: Ledger;
  readonly running: RunningGenerations;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tells the ledger that this process lives and how far its generations are, so that a crash loses no charge. */
export class LeaseKeeper {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: LeaseKeeperPorts) {}

  /** Takes the lease; resolves once it is held. */
  async start(): Promise<void> {
    const { clock, log } = this.ports;
    await this.renew();
    this.#stop = every({
      clock,
      intervalMilliseconds: LEASE_RENEWAL_MILLISECONDS,
      task: () => this.renew(),
      onFailure: (err) => log.error({ err }, 'the process lease could not be renewed'),
    });
  }

  /** Gives the lease up. Called when nothing is running any more. */
  async stop(): Promise<void> {
    await this.#stop();
    await this.ports.ledger.retire(this.ports.processId);
  }

  private async renew(): Promise<void> {
    const { ledger, running, processId, clock } = this.ports;
    const at = clock.now();
    await ledger.checkpoint({ ownerId: processId, progress: running.progress(), at, leaseExpiresAt: later(at, LEASE_MILLISECONDS) });
  }
}
