import {
  type AccountId, type ChainSize, type Instant, type KeepResponse, MAX_RESPONSE_CHAIN, RESPONSE_SWEEP_BYTES, MAX_RESPONSE_SWEEP, type ResponseChain, type ResponseStore,
  MAX_STORED_BYTES_OF_REQUEST, MAX_STORED_RESPONSE_BYTES, STORED_RESPONSES_LEFT, STORED_RESPONSES_LEFT_BYTES, MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES,
  type StoredResponse,
} from '@tollgate/core';

interface Entry {
  readonly response: StoredResponse;
  readonly bytes: number;
  readonly expiresAt: Instant;
}

/** Responses of one account, from oldest to newest. */
class Shelf {
  readonly entries = new Map<string, Entry>();
  bytes = 0;

  add(entry: Entry): void {
    this.entries.set(entry.response.id, entry);
    this.bytes += entry.bytes;
    if (this.entries.size <= MAX_STORED_RESPONSES && this.bytes <= MAX_STORED_RESPONSES_BYTES) return;
    for (const { response } of this.entries.values()) {
      if (this.entries.size <= STORED_RESPONSES_LEFT && this.bytes <= STORED_RESPONSES_LEFT_BYTES) return;
      this.remove(response.id);
    }
  }

  remove(id: string): void {
    this.bytes -= this.entries.get(id)?.bytes ?? 0;
    this.entries.delete(id);
  }
}

/** Stored responses in maps. Every operation is one synchronous step. */
export class MemoryResponses implements ResponseStore {
  readonly #shelves = new Map<AccountId, Shelf>();
  /** Accounts whose responses were erased; none is stored for them afterwards. Never pruned: deleted accounts stay in memory too. */
  readonly #erased = new Set<AccountId>();

  async keep({ accountId, expiresAt, ...toKeep }: KeepResponse): Promise<boolean> {
    const { inputItems, outputItems, body } = toKeep;
    const bytes = inputItems.length + Buffer.byteLength(outputItems) + Buffer.byteLength(body);
    if (bytes > MAX_STORED_RESPONSE_BYTES) return false;
    if (this.#erased.has(accountId)) return true;
    const response = { ...toKeep, inputItems: new TextDecoder().decode(inputItems) };
    const shelf = this.#shelves.get(accountId) ?? new Shelf();
    this.#shelves.set(accountId, shelf);
    if (!shelf.entries.has(response.id)) shelf.add({ response, bytes, expiresAt });
    return true;
  }

  async find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null> {
    return this.#find(accountId, id, at)?.response ?? null;
  }

  async findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]> {
    return ids.flatMap((id) => this.#find(accountId, id, at)?.response ?? []);
  }

  async sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number> {
    return ids.reduce((bytes, id) => bytes + (this.#find(accountId, id, at)?.bytes ?? 0), 0);
  }

  async chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize> {
    const chain = this.#chain(accountId, id, at);
    return chain.outcome === 'found' ? { outcome: 'found', bytes: chain.bytes } : { outcome: chain.outcome };
  }

  async chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain> {
    const chain = this.#chain(accountId, id, at);
    return chain.outcome === 'found' ? { outcome: 'found', responses: chain.responses } : { outcome: chain.outcome };
  }

  #chain(accountId: AccountId, id: string, at: Instant): ChainSize & { readonly responses: readonly StoredResponse[] } {
    const chain: StoredResponse[] = [];
    let bytes = 0;
    for (let next: string | null = id; next !== null;) {
      const entry: Entry | null = chain.length < MAX_RESPONSE_CHAIN ? this.#find(accountId, next, at) : null;
      if (entry === null) return { outcome: 'missing', responses: [] };
      bytes += entry.bytes;
      if (bytes > MAX_STORED_BYTES_OF_REQUEST) return { outcome: 'too-large', responses: [] };
      chain.push(entry.response);
      next = entry.response.previousId;
    }
    return { outcome: 'found', bytes, responses: chain.toReversed() };
  }

  async remove(accountId: AccountId, id: string, at: Instant): Promise<boolean> {
    if (this.#find(accountId, id, at) === null) return false;
    this.#remove(accountId, id);
    return true;
  }

  async sweep(now: Instant): Promise<number> {
    let [responses, bytes] = [0, 0];
    for (const [accountId, entry] of this.#expired(now)) {
      if (responses === MAX_RESPONSE_SWEEP || bytes >= RESPONSE_SWEEP_BYTES) return responses;
      this.#remove(accountId, entry.response.id);
      responses += 1;
      bytes += entry.bytes;
    }
    return responses;
  }

  eraseAll(accountId: AccountId): void {
    this.#erased.add(accountId);
    this.#shelves.delete(accountId);
  }

  #expired(now: Instant): readonly (readonly [AccountId, Entry])[] {
    return [...this.#shelves].flatMap(([accountId, { entries }]) => (
      [...entries.values()].filter(({ expiresAt }) => expiresAt <= now).map((entry) => [accountId, entry] as const)));
  }

  #remove(accountId: AccountId, id: string): void {
    const shelf = this.#shelves.get(accountId);
    shelf?.remove(id);
    if (shelf?.entries.size === 0) this.#shelves.delete(accountId);
  }

  #find(accountId: AccountId, id: string, at: Instant): Entry | null {
    const entry = this.#shelves.get(accountId)?.entries.get(id);
    return entry === undefined || entry.expiresAt <= at ? null : entry;
  }
}
