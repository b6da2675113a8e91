import type { Load } from '../attacks/attack.js';

/** What a load process is asked to do. */
export interface LoadOrder {
  readonly port: number;
  readonly seconds: number;
  readonly load: Load;
}

/** What came of it. Latencies are in whole milliseconds, corrected for requests that had to wait to be sent. */
export interface LoadResult {
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
  readonly requests: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without a reply: refused or broken connections and timeouts. */
  readonly unanswered: number;
}
