import { type AccountId, type CancelSignal, type Clock, SharedPlaces } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** Stands for the account in the gateway's own calls. */
export const NO_ACCOUNT = 'acct_none' as AccountId;

/** Share of an upstream's connections that only accounts without a running call there may take; at least one connection. */
export const KEPT_SHARE = 1 / 4;

export interface PlaceBounds {
  /** Maximum number of concurrent calls. */
  readonly most: number;
  /** Maximum time that a call waits for a connection. */
  readonly waitMilliseconds: number;
}

export interface Caller {
  readonly accountId: AccountId;
  readonly signal: CancelSignal | null;
}

/**
 * Connections of an upstream with `max_connections`. Calls wait here in turns by account, instead of in the pool's single queue, which one
 * account could fill.
 */
export class ConnectionPlaces {
  readonly #places: SharedPlaces<AccountId>;

  constructor(private readonly bounds: PlaceBounds, private readonly clock: Clock) {
    const { most } = bounds;
    this.#places = new SharedPlaces(most, Math.max(1, Math.floor(most * KEPT_SHARE)));
  }

  /**
   * Resolves with a connection reserved; throws `UpstreamFailure` at the timeout or if cancelled. The gateway's own calls fail at once
   * instead of waiting, so that clients which hold all connections do not decide their outcome.
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
