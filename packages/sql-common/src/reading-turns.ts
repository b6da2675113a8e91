import { ALL_ACCOUNTS, GatewayError, type UsageScope } from '@tollgate/core';

/** Long reads of one account that may wait. Those of all accounts are the gateway's own and its operators'. */
export const MOST_WAITING_READS = 64;
const RETRY_AFTER_SECONDS = 1;

type Start = () => void;

function tooManyReads(): GatewayError {
  const message = 'Your account is sending too many requests at the same moment that read usage. No limit of your plan was touched; please try again.';
  return new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Gives turns at reads that take long, account by account, so that each waits for one read of every other and not for all of them. */
export class ReadingTurns {
  /** Of holders that wait; the first one is next. */
  readonly #lanes = new Map<UsageScope, Start[]>();
  #running = 0;
  #whenIdle: Start[] = [];

  /** `atOnce`: how many reads run at a time. */
  constructor(private readonly atOnce: number) {}

  /** Rejects with `rate_limit_exceeded` where too many reads of the account wait. */
  async run<T>(holder: UsageScope, read: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running += 1;
    else await this.#turn(holder);
    try {
      return await read();
    } finally {
      this.#passOn();
    }
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #turn(holder: UsageScope): Promise<void> {
    const lane = this.#lanes.get(holder) ?? [];
    if (holder !== ALL_ACCOUNTS && lane.length >= MOST_WAITING_READS) throw tooManyReads();
    this.#lanes.set(holder, lane);
    return new Promise((start) => lane.push(start));
  }

  #passOn(): void {
    const [next] = this.#lanes;
    if (next === undefined) {
      this.#running -= 1;
      if (this.#running === 0) this.#whenIdle.splice(0).forEach((resolve) => resolve());
      return;
    }
    const [holder, lane] = next;
    this.#lanes.delete(holder);
    const start = lane.shift();
    if (lane.length > 0) this.#lanes.set(holder, lane);
    start?.();
  }
}
