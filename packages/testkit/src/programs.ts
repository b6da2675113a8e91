// For programs without a test runner: database servers, a network that can be broken, scripted upstreams, repeatable random numbers, and waiting for a condition.
export { type PostgresServer, type PostgresServerOptions, type RedisServer, startPostgresServer, startRedisServer } from './database-servers.js';
export { type NetworkProxy, startNetworkProxy } from './faults.js';
export { answersStatus, type Behaviour, breaksAfter, hangsBeforeHeaders, replies } from './scripted-upstream/behaviours.js';
export { type ScriptedReply } from './scripted-upstream/scripted-reply.js';
export { type RecordedRequest, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream/scripted-upstream.js';
export { StrictVendor, type VendorFormat } from './strict-upstream/strict-vendor.js';

/** Pseudorandom numbers that are the same for the same seed, on every machine and in every version. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** True with the given probability. */
  happens(share: number): boolean {
    return this.fraction() < share;
  }

  /** One item, each equally likely; throws if there is none. */
  pick<Item>(items: ArrayLike<Item>): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}

const LONGEST_WAIT_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 5;

/** Resolves once a condition holds; rejects if it does not within 10 s or the given time. For effects of other processes or the network. */
export async function until(condition: () => boolean | Promise<boolean>, longestMilliseconds = LONGEST_WAIT_MILLISECONDS): Promise<void> {
  const deadline = performance.now() + longestMilliseconds;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error('the condition never held');
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MILLISECONDS);
    });
  }
}
