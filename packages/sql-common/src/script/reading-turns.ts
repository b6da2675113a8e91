import { ALL_ACCOUNTS, GatewayError, SharedPlaces, type UsageScope } from '@tollgate/core';

/** Maximum waiting reads per account. Reads over all accounts, which the gateway and operators make, have no maximum. */
export const MAX_WAITING_READS = 64;
const RETRY_AFTER_SECONDS = 1;

function tooManyReads(): GatewayError {
  const message = 'Your account is sending too many requests that read usage at the same time. This does not count against the limits of your plan; please try again.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Takes turns between accounts for long reads: an account waits for one read of each other account, not for all their reads. */
export class ReadingTurns {
  readonly #places: SharedPlaces<UsageScope>;

  /** @param atOnce maximum number of concurrent reads. */
  constructor(atOnce: number) {
    this.#places = new SharedPlaces(atOnce);
  }

  /** Rejects with `rate_limit_exceeded` if too many reads of the account are waiting. */
  async run<T>(holder: UsageScope, read: () => Promise<T>): Promise<T> {
    if (!this.#places.tryTake(holder)) await this.#turn(holder);
    try {
      return await read();
    } finally {
      this.#places.giveBack(holder);
    }
  }

  /** Resolves when no read is running or waiting. */
  idle(): Promise<void> {
    return this.#places.idle();
  }

  #turn(holder: UsageScope): Promise<void> {
    if (holder !== ALL_ACCOUNTS && this.#places.waitingOf(holder) >= MAX_WAITING_READS) throw tooManyReads();
    return new Promise((start) => {
      this.#places.wait(holder, start);
    });
  }
}
