import { closeRedis, openRedis, type RedisConnection } from '@tollgate/adapters-redis';
import type { AccountId } from '@tollgate/core';

/** Reads from Redis itself how many slots are held. */
export class SharedSlots {
  private constructor(private readonly connection: RedisConnection) {}

  static async open(path: string): Promise<SharedSlots> {
    // What fails is heard of where it was asked for.
    return new SharedSlots(await openRedis({ url: path, onError: () => undefined }));
  }

  /** Slots whose lease has not run out, by account in the order given. Rejects while Redis does not answer. */
  heldBy(accounts: readonly AccountId[]): Promise<readonly number[]> {
    return Promise.all(accounts.map((account) => this.connection.zcount(`tollgate:limits:{${account}}:slots`, Date.now(), '+inf')));
  }

  /** Takes away everything that Redis holds. */
  async empty(): Promise<void> {
    await this.connection.flushall();
  }

  close(): Promise<void> {
    return closeRedis(this.connection);
  }
}
