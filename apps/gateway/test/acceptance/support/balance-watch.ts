import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a reader saw who never stopped looking; amounts are micro-tokens. */
export interface WatchedBalances {
  readonly reads: number;
  /** The lowest available balance of any account at any read. */
  readonly lowest: bigint;
  /** Reads at which what accounts have reserved was not the sum of the reservations held. */
  readonly unexplained: readonly bigint[];
}

/** Reads all balances every millisecond in a thread and on a connection of its own, from its start until it is stopped. */
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
