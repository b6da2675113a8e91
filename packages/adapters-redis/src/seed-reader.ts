import { type AccountId, type Instant, MILLISECONDS_PER_DAY, type UsageReader } from '@tollgate/core';

/** Where caps per day and month learn what an account has used; the ledger's usage reader is one. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/** Absolute figures of the source of truth, and what they were read for. */
export interface Seed {
  readonly dayNumber: number;
  readonly day: number;
  readonly month: number;
  /** Redis counts on only if nothing ended since it gave out this generation. */
  readonly generation: string;
}

export interface SeedRequest {
  readonly accountId: AccountId;
  readonly at: Instant;
  readonly generation: string;
}

/** Reads the source of truth once for all the requests of this process that wait for the same figures. */
export class SeedReader {
  readonly #reading = new Map<AccountId, { readonly generation: string; readonly seed: Promise<Seed> }>();

  constructor(private readonly usage: TokensUsedSource) {}

  /** Rejects as the source does; the next request tries again. */
  read(request: SeedRequest): Promise<Seed> {
    const { accountId, generation } = request;
    const running = this.#reading.get(accountId);
    if (running?.generation === generation) return running.seed;
    const seed = this.#readNow(request).finally(() => {
      if (this.#reading.get(accountId)?.seed === seed) this.#reading.delete(accountId);
    });
    this.#reading.set(accountId, { generation, seed });
    return seed;
  }

  async #readNow({ accountId, at, generation }: SeedRequest): Promise<Seed> {
    const { day, month } = await this.usage.tokensUsed(accountId, at);
    return { dayNumber: Math.floor(at / MILLISECONDS_PER_DAY), day, month, generation };
  }
}
