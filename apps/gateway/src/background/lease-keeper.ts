import {
  type Clock, type Instant, isStoreLost, later, type LeaseRenewal, type Ledger, MILLISECONDS_PER_SECOND, type ProcessId, type RunningGenerations,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { DatabaseOutage } from '../http/reply/database-outage.js';
import { repeat } from './repeat.js';

export const LEASE_MILLISECONDS = 15_000;
export const LEASE_RENEWAL_MILLISECONDS = 5000;

interface LeaseKeeperPorts {
  readonly ledger: Ledger;
  /** `isFailing`: reservations and settlements fail. A full disk may refuse them while renewals of the lease still succeed. */
  readonly money: { readonly isFailing: boolean };
  readonly running: RunningGenerations;
  /** Called at each successful renewal. */
  readonly outage?: Pick<DatabaseOutage, 'succeeded'>;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `lost`: the database file was replaced. */
type StoreState = 'ok' | 'unavailable' | 'lost';

function messageOf(failure: unknown): string {
  const { message, cause } = failure instanceof Error ? failure : { message: String(failure), cause: undefined };
  return cause instanceof Error ? cause.message : message;
}

/** Renews the lease of this process, and stores the progress of its running generations; after a crash, other processes charge by this progress. */
export class LeaseKeeper {
  #stop: () => Promise<void> = () => Promise.resolve();
  #renewedAt: Instant | null = null;
  /** `null` after a success. */
  #failure: { readonly state: 'unavailable' | 'lost'; readonly message: string } | null = null;

  constructor(private readonly ports: LeaseKeeperPorts) {}

  /** `unavailable` after a failed renewal, while reservations fail, and if no renewal has succeeded for as long as the lease lasts. */
  get storeState(): StoreState {
    if (this.#failure !== null) return this.#failure.state;
    const isHeld = this.#renewedAt !== null && this.ports.clock.now() < later(this.#renewedAt, LEASE_MILLISECONDS);
    return isHeld && !this.ports.money.isFailing ? 'ok' : 'unavailable';
  }

  /** Resolves once the lease is held. */
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

  /** Must not be called while a request runs. */
  async stop(): Promise<void> {
    await this.#stop();
    await this.ports.ledger.retire(this.ports.processId);
  }

  private async renew(): Promise<void> {
    const { ledger, running, processId, clock, outage } = this.ports;
    const at = clock.now();
    const renewal = await ledger.checkpoint({ ownerId: processId, progress: running.progress(), at, leaseExpiresAt: later(at, LEASE_MILLISECONDS) });
    if (renewal.wasAbsent && this.#renewedAt !== null) this.takenForDead(at - this.#renewedAt, renewal);
    if (this.#failure !== null) this.ports.log.info('the process lease is renewed again');
    this.#failure = null;
    this.#renewedAt = at;
    outage?.succeeded();
  }

  /** Called if other processes considered this one dead: they have settled its requests and freed its idempotency keys. */
  private takenForDead(silentMilliseconds: number, { clockAheadMilliseconds }: LeaseRenewal): void {
    const { log, processId } = this.ports;
    const facts = { process: processId, silentSeconds: Math.round(silentMilliseconds / MILLISECONDS_PER_SECOND), clockAheadMilliseconds };
    log.error(facts, 'the lease of this process expired and another process ended its requests: they are settled late, and their idempotency keys may have been reused');
  }

  /** Logs a failure once, until its cause changes. */
  private failed(failure: unknown): void {
    const message = messageOf(failure);
    if (this.#failure?.message === message) return;
    const isLost = isStoreLost(failure);
    this.#failure = { state: isLost ? 'lost' : 'unavailable', message };
    if (isLost) this.ports.log.fatal(`the database is lost: ${message}. New requests are refused with 503`);
    else this.ports.log.error({ err: failure }, 'the process lease could not be renewed; the gateway retries');
  }
}
