import {
  type Clock, type IdempotencyStore, type Instant, isStoreLost, later, type Ledger, type LeaseRenewal, type LedgerAudit,
  type LedgerDifference, MILLISECONDS_PER_SECOND, type ProcessId, type ResponseStore, type RunningGenerations, type SweptReservations,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { DatabaseOutage } from '../http/reply/database-outage.js';
import { repeat, ScheduledTask, type TaskPorts } from './scheduled-tasks.js';
import { IDEMPOTENCY_KEPT_MILLISECONDS } from '../routes/generation/idempotent-requests.js';

export const LEASE_MILLISECONDS = 15_000;
export const LEASE_RENEWAL_MILLISECONDS = 5000;

interface LeaseKeeperPorts {
  readonly ledger: Ledger;
  /** Whether reservations and settlements fail, which need more room than a renewal, or reservations are refused. */
  readonly money: { readonly isFailing: boolean };
  readonly running: RunningGenerations;
  /** Told of each renewal that succeeds. */
  readonly outage?: Pick<DatabaseOutage, 'succeeded'>;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `lost`: the store at its place is not the one that was opened. */
type StoreState = 'ok' | 'unavailable' | 'lost';

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

  /** What the last renewal and recent reservations say; a renewal that takes longer than the lease lasts says that the store is away. */
  get storeState(): StoreState {
    if (this.#failure !== null) return this.#failure.state;
    const isHeld = this.#renewedAt !== null && this.ports.clock.now() < later(this.#renewedAt, LEASE_MILLISECONDS);
    return isHeld && !this.ports.money.isFailing ? 'ok' : 'unavailable';
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
    const { ledger, running, processId, clock, outage } = this.ports;
    const at = clock.now();
    const renewal = await ledger.checkpoint({ ownerId: processId, progress: running.progress(), at, leaseExpiresAt: later(at, LEASE_MILLISECONDS) });
    if (renewal.wasAbsent && this.#renewedAt !== null) this.takenForDead(at - this.#renewedAt, renewal);
    if (this.#failure !== null) this.ports.log.info('the process lease is renewed again');
    this.#failure = null;
    this.#renewedAt = at;
    outage?.succeeded();
  }

  /** Others have ended its requests at their checkpoints and freed their idempotency keys. */
  private takenForDead(silentMilliseconds: number, { clockAheadMilliseconds }: LeaseRenewal): void {
    const { log, processId } = this.ports;
    const facts = { process: processId, silentSeconds: Math.round(silentMilliseconds / MILLISECONDS_PER_SECOND), clockAheadMilliseconds };
    log.error(facts, 'the lease of this process expired and another process ended its requests: they are settled late, and their idempotency keys may have been reused');
  }

  /** Logs each cause once, until another one takes its place or the lease is renewed. */
  private failed(failure: unknown): void {
    const message = messageOf(failure);
    if (this.#failure?.message === message) return;
    const isLost = isStoreLost(failure);
    this.#failure = { state: isLost ? 'lost' : 'unavailable', message };
    if (isLost) this.ports.log.fatal(`the database is lost: ${message}. New requests are refused with 503`);
    else this.ports.log.error({ err: failure }, 'the process lease could not be renewed; the gateway retries');
  }
}

export const SWEEP_MILLISECONDS = 2000;

/** Says what is known: a process without a lease may be dead, stopped, or cut off from the database. */
function logSwept(log: Logger, { ownerId: process, ended, cause, silentMilliseconds }: SweptReservations): void {
  if (cause === 'deadline') return log.warn({ process, ended }, 'ended reservations past their deadline');
  const silentSeconds = silentMilliseconds === null ? null : Math.round(silentMilliseconds / MILLISECONDS_PER_SECOND);
  log.warn({ process, ended, silentSeconds }, 'ended the reservations of a process whose lease was not renewed');
}

interface SweepRunnerPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
}

/** Ends what dead processes left: what they held, and the keys of their requests. */
export class SweepRunner extends ScheduledTask<SweepRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: SWEEP_MILLISECONDS, failureMessage: 'orphaned reservations could not be swept' };

  /** Also called by the start of the gateway, which waits for the first sweep. */
  async run(): Promise<void> {
    const { ledger, idempotency, clock, log } = this.ports;
    const now = clock.now();
    await ledger.sweep(now, (swept) => logSwept(log, swept));
    await idempotency.sweep(now, later(now, IDEMPOTENCY_KEPT_MILLISECONDS));
  }
}

/** Each sweep of responses is a short transaction, so that requests go on between them. */
const RESPONSE_SWEEPS_PER_TURN = 20;

interface ResponseSweeperPorts extends TaskPorts {
  readonly responses: ResponseStore;
}

/** Removes responses that have expired. Neither the start nor the ledger waits for it. */
export class ResponseSweeper extends ScheduledTask<ResponseSweeperPorts> {
  protected readonly schedule = { intervalMilliseconds: SWEEP_MILLISECONDS, failureMessage: 'expired responses could not be removed; the gateway retries' };

  protected async run(): Promise<void> {
    const { responses, clock } = this.ports;
    const now = clock.now();
    let turns = 0;
    while (turns < RESPONSE_SWEEPS_PER_TURN && await responses.sweep(now) > 0) turns += 1;
  }
}

interface ReconcilerPorts {
  readonly ledgerAudit: LedgerAudit;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What the last check of the books came to. */
export interface Reconciliation {
  readonly differences: number;
  /** The first of them. */
  readonly named: readonly LedgerDifference[];
  readonly accounts: number;
  readonly entries: number;
  readonly usageRecords: number;
  readonly startedAt: Instant;
  /** When it was done. */
  readonly at: Instant;
}

/** Differences named in the log and to operators: enough to begin a search. */
const NAMED_DIFFERENCES = 10;

/** Recomputes the books from time to time, so that a difference is reported before an operator runs a check. */
export class Reconciler {
  #last: Reconciliation | null = null;
  #failures = 0;
  /** The check under way, and since when. */
  #running: { readonly since: Instant; readonly done: Promise<void> } | null = null;
  #intervalMilliseconds: number | null = null;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: ReconcilerPorts) {}

  /** `null` until the books were checked for the first time. */
  get last(): Reconciliation | null {
    return this.#last;
  }

  /** Checks that could not be carried out. */
  get failures(): number {
    return this.#failures;
  }

  /** Since when a check is under way; `null` when none is. */
  get runningSince(): Instant | null {
    return this.#running?.since ?? null;
  }

  /** `null` when the books are checked on demand alone. */
  get intervalMilliseconds(): number | null {
    return this.#intervalMilliseconds;
  }

  /** Checks for the first time after one interval; with `null` on demand alone. */
  start(intervalMilliseconds: number | null): void {
    this.#intervalMilliseconds = intervalMilliseconds;
    if (intervalMilliseconds === null) return;
    this.#stop = repeat({ clock: this.ports.clock, intervalMilliseconds, task: () => this.check(), onFailure: () => undefined });
  }

  /** Checks now, beside the requests, or joins the check under way: there is one at a time. Resolves when it is over; a failure is logged and counted. */
  check(): Promise<void> {
    this.#running ??= { since: this.ports.clock.now(), done: this.run() };
    return this.#running.done;
  }

  /** Waits for a check under way. */
  async stop(): Promise<void> {
    await this.#stop();
    await this.#running?.done;
  }

  private async run(): Promise<void> {
    try {
      await this.reconcile();
    } catch (err) {
      this.#failures += 1;
      this.ports.log.error({ err }, 'the check of the books failed');
    } finally {
      this.#running = null;
    }
  }

  private async reconcile(): Promise<void> {
    const { ledgerAudit, clock, log } = this.ports;
    const startedAt = clock.now();
    const { differences, accounts, entries, usageRecords } = await ledgerAudit.verify();
    const named = differences.slice(0, NAMED_DIFFERENCES);
    this.#last = { differences: differences.length, named, accounts, entries, usageRecords, startedAt, at: clock.now() };
    if (differences.length === 0) log.debug({ accounts, usageRecords }, 'the books were checked');
    else log.error({ differences: named, count: differences.length }, 'the check of the books found differences');
  }
}
