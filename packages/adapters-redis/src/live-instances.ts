import type { Clock, ProcessId } from '@tollgate/core';
import type { Result } from 'ioredis';
import { answered } from './redis-failures.js';
import { luaScript } from './lua-script.js';
import type { RedisConnection } from './redis-connection.js';
import { Ticker } from './ticker.js';

const RENEWAL_MILLISECONDS = 5_000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateAnnounce(key: string, time: '', processId: string): Result<number, Context>;
  }
}

export interface LiveInstancesPorts {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  readonly processId: ProcessId;
  readonly onAnnouncementFailed: (cause: unknown) => void;
  readonly prefix?: string;
}

/** Counts the processes that share a Redis, by leases of 15 s, which each process renews every 5 s. */
export class LiveInstances {
  readonly #announcements: Ticker;
  readonly #key: string;
  #count = 1;

  constructor(private readonly ports: LiveInstancesPorts) {
    ports.connection.defineCommand('tollgateAnnounce', { lua: luaScript('announce', 'window'), numberOfKeys: 1 });
    this.#key = `${ports.prefix ?? 'tollgate:'}instances`;
    this.#announcements = new Ticker(ports.clock, RENEWAL_MILLISECONDS, () => this.announce());
  }

  /** Number of processes at the last successful announcement, including this one; 1 before it. */
  get count(): number {
    return this.#count;
  }

  /** Resolves after the first announcement, even if it fails. */
  async start(): Promise<void> {
    this.#announcements.start();
    await this.announce();
  }

  /** Removes this process from the count. If Redis does not respond, rejects with `RedisUnavailable`; the lease then expires. */
  async stop(): Promise<void> {
    this.#announcements.stop();
    await answered(this.ports.connection.zrem(this.#key, this.ports.processId));
  }

  /** Renews the lease and counts the processes. Failures are reported to `onAnnouncementFailed`. */
  async announce(): Promise<void> {
    try {
      this.#count = Math.max(1, await this.ports.connection.tollgateAnnounce(this.#key, '', this.ports.processId));
    } catch (cause) {
      this.ports.onAnnouncementFailed(cause);
    }
  }
}
