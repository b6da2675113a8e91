import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Observations since the start; amounts are in micro-units. */
export interface WatchedBalances {
  readonly reads: number;
  /** Lowest available balance over all accounts and reads. */
  readonly lowest: bigint;
  /** Sums of reserved amounts that differed from the held reservations of the same read. */
  readonly unexplained: readonly bigint[];
}

/** Reads all balances every millisecond in a thread with its own connection. */
export class BalanceWatch {
  private constructor(private readonly worker: Worker, private readonly flag: SharedArrayBuffer) {}

  static async start(file: string): Promise<BalanceWatch> {
    const flag = new SharedArrayBuffer(4);
    const worker = new Worker(new URL('balance-watch-worker.mjs', import.meta.url), { workerData: { file, flag } });
    await once(worker, 'message');
    return new BalanceWatch(worker, flag);
  }

  async stop(): Promise<WatchedBalances> {
    const answer = once(this.worker, 'message') as Promise<[WatchedBalances]>;
    const stopped = new Int32Array(this.flag);
    Atomics.store(stopped, 0, 1);
    Atomics.notify(stopped, 0);
    const [seen] = await answer;
    await this.worker.terminate();
    return seen;
  }
}
