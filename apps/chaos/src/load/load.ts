import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.js';
import { exchange, type Receipt } from './exchange.js';

export interface LoadOptions {
  readonly url: string;
  /** The keys that requests take by chance. */
  readonly keys: readonly string[];
  readonly clients: number;
  readonly random: Random;
  /** Told of every receipt that a client saw, as it is seen. */
  readonly onReceipt: (receipt: Receipt) => void;
}

export interface LoadTally {
  readonly requests: number;
  readonly served: number;
}

const LEAVING_SHARE = 0.25;
const LONGEST_STAY_MILLISECONDS = 120;
const AFTER_FAILURE_MILLISECONDS = 5;

/** Clients that ask again and again, in both formats, streamed and whole; some hang up. */
export class Load {
  #stopped = false;
  #requests = 0;
  #served = 0;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<unknown>;

  constructor(private readonly options: LoadOptions) {
    this.#clients = Promise.all(Array.from({ length: options.clients }, () => this.client()));
  }

  /** Lets every client end its request, for better or worse. */
  async stop(): Promise<LoadTally> {
    this.#stopped = true;
    await this.#clients;
    this.#agent.destroy();
    return { requests: this.#requests, served: this.#served };
  }

  private async client(): Promise<void> {
    const { url, keys, random, onReceipt } = this.options;
    while (!this.#stopped) {
      this.#requests += 1;
      const { status, receipt } = await exchange({
        url,
        agent: this.#agent,
        key: keys[random.between(0, keys.length - 1)] ?? '',
        format: random.happens(0.5) ? 'chat' : 'messages',
        streamed: random.happens(0.6),
        leavesAfterMilliseconds: random.happens(LEAVING_SHARE) ? random.between(0, LONGEST_STAY_MILLISECONDS) : null,
      });
      if (status === 200) this.#served += 1;
      else await pause(AFTER_FAILURE_MILLISECONDS);
      if (receipt !== null) onReceipt(receipt);
    }
  }
}
