import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '@tollgate/core';

/** How many wait for their turn at most; each is a request with a password. */
const MAXIMUM_WAITING = 64;
const RETRY_AFTER_SECONDS = 2;
const PAUSE_MILLISECONDS = 1000;

function tooManyWait(): GatewayError {
  return new GatewayError('server_busy', 'Too many people are signing in at the moment. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** How long a computation waits for room before it is refused. */
export type Pause = () => Promise<void>;

const ONE_SECOND: Pause = () => setTimeout(PAUSE_MILLISECONDS, undefined, { ref: false });

/** Lets a few expensive computations run at a time, in the order of their arrival. */
export class HashQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number, private readonly pause: Pause = ONE_SECOND) {}

  /** Throws `server_busy` when too many wait, also after a pause. */
  async run<T>(compute: () => Promise<T>): Promise<T> {
    if (this.isFull) await this.room();
    await this.turn();
    try {
      return await compute();
    } finally {
      this.next();
    }
  }

  /** Resolves when a computation would be taken on. Throws `server_busy` when there is no room, also after a pause. */
  async room(): Promise<void> {
    if (!this.isFull) return;
    await this.pause();
    if (this.isFull) throw tooManyWait();
  }

  private get isFull(): boolean {
    return this.waiting.length >= MAXIMUM_WAITING;
  }

  private turn(): Promise<void> | void {
    if (this.running < this.atOnce) {
      this.running += 1;
      return;
    }
    if (this.isFull) throw tooManyWait();
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
