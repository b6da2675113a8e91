import { GatewayError } from '@tollgate/core';

/** How many wait for their turn at most; each is a request with a password. */
const MAXIMUM_WAITING = 64;
const RETRY_AFTER_SECONDS = 2;

/** Lets a few expensive computations run at a time, in the order of their arrival. */
export class HashQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Throws `server_busy` at once when too many wait. */
  async run<T>(compute: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await compute();
    } finally {
      this.next();
    }
  }

  private turn(): Promise<void> | void {
    if (this.running < this.atOnce) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MAXIMUM_WAITING) {
      throw new GatewayError('server_busy', 'Too many people are signing in at the moment. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** The place goes to the one who has waited longest, or is free. */
  private next(): void {
    const waiter = this.waiting.shift();
    if (waiter === undefined) this.running -= 1;
    else waiter();
  }
}
