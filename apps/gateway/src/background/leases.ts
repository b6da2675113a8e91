import {
  type Clock, type IdempotencyStore, type Instant, isStoreLost, later, type Ledger, type ProcessId, type RunningGenerations,
} from '@tollgate/core';
import type { Logger } from 'pino';
import { repeat } from './scheduled-tasks.js';
import { IDEMPOTENCY_KEPT_MILLISECONDS } from '../routes/generation/idempotent-requests.js';

export const LEASE_MILLISECONDS = 15_000;
export const LEASE_RENEWAL_MILLISECONDS = 5000;

export interface LeaseKeeperPorts {
  readonly ledger: Ledger;
  readonly running: RunningGenerations;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `lost`: the store at its place is not the one that was opened. */
export type StoreState = 'ok' | 'unavailable' | 'lost';

function messageOf(failure: unknown): string {
  const { message, cause } = failure instanceof Error ? failure : { message: String(failure), cause: undefined };
  return cause instanceof Error ? cause.message : message;
}

/** Tells the ledger that this process lives and how far its generations are, so that a crash loses no charge. */
export class LeaseKeeper {
  #stop: () => Promise<void> = () => Promise.resolve();
  #renewedAt: Instant | null = null;
  /** Of the last renewal; `null` when it succeeded. */
  #failure: { readonly state: 'unavailable' | 'lost'; readonly message: string } | null = null;

  constructor(private readonly ports: LeaseKeeperPorts) {}

  /** What the last renewal says; one that takes longer than the lease lasts says that the store is away. */
  get storeState(): StoreState {
    if (this.#failure !== null) return this.#failure.state;
    const isHeld = this.#renewedAt !== null && this.ports.clock.now() < later(this.#renewedAt, LEASE_MILLISECONDS);
    return isHeld ? 'ok' : 'unavailable';
  }

  /** Takes the lease; resolves once it is held. */
  async start(): Promise<void> {
    const { clock } = this.ports;
    await this.renew();
    this.#stop = repeat({
      clock,
      intervalMilliseconds: LEASE_RENEWAL_MILLISECONDS,
      task: () => this.renew(),
      onFailure: (failure) => this.failed(failure),
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
    if (this.#failure !== null) this.ports.log.info('the process lease is renewed again');
    this.#failure = null;
    this.#renewedAt = at;
  }

  /** Logs each cause once, until another one takes its place or the lease is renewed. */
  private failed(failure: unknown): void {
    const message = messageOf(failure);
    if (this.#failure?.message === message) return;
    const isLost = isStoreLost(failure);
    this.#failure = { state: isLost ? 'lost' : 'unavailable', message };
    if (isLost) this.ports.log.fatal(`the database is lost: ${message}. New requests are refused with 503`);
    else this.ports.log.error({ err: failure }, 'the process lease could not be renewed; it is retried');
  }
}

export const SWEEP_MILLISECONDS = 2000;

export interface SweepRunnerPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ends what dead processes left: what they held, and the keys of their requests. */
export class SweepRunner {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: SweepRunnerPorts) {}

  /** Sweeps once, then every two seconds; resolves after the first sweep. */
  async start(): Promise<void> {
    const { clock, log } = this.ports;
    await this.sweep();
    this.#stop = repeat({
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
    if (ended > 0) log.warn({ ended }, 'ended the reservations of a process that no longer runs');
    await idempotency.sweep(now, later(now, IDEMPOTENCY_KEPT_MILLISECONDS));
  }
}
