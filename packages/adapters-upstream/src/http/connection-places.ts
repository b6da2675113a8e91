import { type AccountId, type CancelSignal, type Clock, SharedPlaces } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** The account of the gateway's own calls: none. */
export const NO_ACCOUNT = 'acct_none' as AccountId;

/** The part of an upstream's connections that is left for accounts of which no call runs there; at least one connection. */
export const KEPT_SHARE = 1 / 4;

export interface PlaceBounds {
  /** Calls that run at a time. */
  readonly most: number;
  /** How long a call waits. */
  readonly waitMilliseconds: number;
}

/** Who calls. */
export interface Caller {
  readonly accountId: AccountId;
  readonly signal: CancelSignal | null;
}

/**
 * Places for the calls to an upstream whose connections are bounded. Calls without one wait here, account by account, and not in the pool, whose one
 * queue a single account could fill.
 */
export class ConnectionPlaces {
  readonly #places: SharedPlaces<AccountId>;

  constructor(private readonly bounds: PlaceBounds, private readonly clock: Clock) {
    const { most } = bounds;
    this.#places = new SharedPlaces(most, Math.max(1, Math.floor(most * KEPT_SHARE)));
  }

  /**
   * Resolves once a place is taken for the account; throws `UpstreamFailure` where none is free in time or the call is cancelled.
   * The gateway's own calls do not wait: clients that hold all places must not decide what it learns of an upstream.
   */
  async take({ accountId, signal }: Caller): Promise<void> {
    if (this.#places.tryTake(accountId)) return;
    if (accountId === NO_ACCOUNT) throw noneFree();
    if (signal?.aborted === true) throw cancelled(signal);
    await this.#turn(accountId, signal);
  }

  giveBack(accountId: AccountId): void {
    this.#places.giveBack(accountId);
  }

  /** Resolves when no call runs or waits. */
  idle(): Promise<void> {
    return this.#places.idle();
  }

  #turn(accountId: AccountId, signal: CancelSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => fail(cancelled(signal));
      const stopWaiting = (): void => {
        stopTimer();
        signal?.removeEventListener('abort', abort);
      };
      const withdraw = this.#places.wait(accountId, () => {
        stopWaiting();
        resolve();
      });
      const fail = (failure: UpstreamFailure): void => {
        withdraw();
        stopWaiting();
        reject(failure);
      };
      const stopTimer = this.clock.schedule(this.bounds.waitMilliseconds, () => fail(noneFree()));
      signal?.addEventListener('abort', abort);
    });
  }
}

function noneFree(): UpstreamFailure {
  return new UpstreamFailure('no-free-connection', 'all connections to the upstream are in use');
}

function cancelled(signal: CancelSignal | null): UpstreamFailure {
  return new UpstreamFailure('cancelled', 'the call was cancelled', signal?.reason);
}
