import type { AccountId, Clock, Instant } from '@tollgate/core';
import type { UpstreamFailureReason } from '../upstream/upstream-failure.js';

/** Sums over the calls of the last 30 seconds. */
export interface Tally {
  /** Calls that produced output, or an empty reply. */
  readonly answered: number;
  /** Failures that no request can cause. */
  readonly unreachable: number;
  /** Failures that the request itself may have caused, such as timeouts. */
  readonly slow: number;
  /** Accounts with at least one failure of the kind `slow`. */
  readonly slowAccounts: number;
  readonly hasSeveralCallers: boolean;
}

export interface Bucket {
  readonly startedAt: Instant;
  answered: number;
  unreachable: number;
  slow: number;
  readonly slowAccounts: Set<AccountId>;
  /** The account of the bucket's first call. */
  readonly caller: AccountId;
  hasSeveralCallers: boolean;
}

const WINDOW_MILLISECONDS = 30_000;
const BUCKET_MILLISECONDS = 3_000;

/** Counts the calls of the last 30 seconds, in buckets of 3 seconds. Memory grows with the accounts that failed, not with calls. */
export class CircuitWindow {
  #buckets: Bucket[] = [];

  constructor(private readonly clock: Clock) {}

  get isEmpty(): boolean {
    this.#expire();
    return this.#buckets.length === 0;
  }

  /** Returns the current bucket, after recording the caller in it. */
  at(caller: AccountId): Bucket {
    const now = this.clock.now();
    const last = this.#buckets.at(-1);
    if (last !== undefined && now - last.startedAt < BUCKET_MILLISECONDS) {
      last.hasSeveralCallers ||= last.caller !== caller;
      return last;
    }
    this.#expire();
    const bucket: Bucket = { startedAt: now, answered: 0, unreachable: 0, slow: 0, slowAccounts: new Set(), caller, hasSeveralCallers: false };
    this.#buckets.push(bucket);
    return bucket;
  }

  tally(): Tally {
    this.#expire();
    const slowAccounts = new Set<AccountId>();
    const callers = new Set<AccountId>();
    const sum = { answered: 0, unreachable: 0, slow: 0, hasSeveralCallers: false };
    for (const bucket of this.#buckets) {
      sum.answered += bucket.answered;
      sum.unreachable += bucket.unreachable;
      sum.slow += bucket.slow;
      sum.hasSeveralCallers ||= bucket.hasSeveralCallers;
      callers.add(bucket.caller);
      for (const account of bucket.slowAccounts) slowAccounts.add(account);
    }
    return { ...sum, hasSeveralCallers: sum.hasSeveralCallers || callers.size > 1, slowAccounts: slowAccounts.size };
  }

  clear(): void {
    this.#buckets = [];
  }

  #expire(): void {
    const since = this.clock.now() - WINDOW_MILLISECONDS;
    while (this.#buckets[0] !== undefined && this.#buckets[0].startedAt <= since) this.#buckets.shift();
  }
}

/**
 * Effect of a failure on a circuit. `every-call`: no request can cause it. `once-per-account`: a request can cause it, so several accounts
 * are needed. `nothing`: it concerns one request, or the gateway's account at the upstream.
 */
export type FailureWeight = 'every-call' | 'once-per-account' | 'nothing';

export const FAILURE_WEIGHTS: Readonly<Record<UpstreamFailureReason, FailureWeight>> = {
  'connect-failed': 'every-call',
  'hung-up': 'once-per-account',
  'timed-out': 'once-per-account',
  'no-free-connection': 'nothing',
  'server-unavailable': 'once-per-account',
  'server-error': 'nothing',
  'too-long-running': 'nothing',
  'cut-off': 'nothing',
  'malformed-reply': 'nothing',
  'redirected': 'nothing',
  'rate-limited': 'nothing',
  'bad-credentials': 'nothing',
  'payment-required': 'nothing',
  'model-unknown': 'nothing',
  'refused': 'nothing',
  'context-too-long': 'nothing',
  'not-sent': 'nothing',
  'circuit-open': 'nothing',
  'not-configured': 'nothing',
  'cancelled': 'nothing',
};

export function weightOf(reason: UpstreamFailureReason): FailureWeight {
  return FAILURE_WEIGHTS[reason];
}

const SILENT_REASONS: ReadonlySet<UpstreamFailureReason> = new Set(['no-free-connection', 'too-long-running', 'circuit-open', 'not-sent', 'not-configured', 'cancelled']);

/** True for a failure without weight in which the upstream has not replied, so that it says nothing about the upstream. */
export function isSilent(reason: UpstreamFailureReason): boolean {
  return SILENT_REASONS.has(reason);
}
