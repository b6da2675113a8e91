import type { AccountId } from '../ids.js';
import type { Instant } from '../time.js';

/** A reply that was kept for its account, with the input it answered. */
export interface StoredResponse {
  readonly id: string;
  /** The response that this one continues; `null` for a first one. It may have expired before this one. */
  readonly previousId: string | null;
  /** The request's own input items, as a JSON list. What was sent by reference stands here in full. */
  readonly inputItems: string;
  /** The reply's items, as a JSON list. */
  readonly outputItems: string;
  /** The whole reply, as the JSON text that its client was sent. */
  readonly body: string;
}

export interface KeepResponse extends StoredResponse {
  readonly accountId: AccountId;
  readonly at: Instant;
  /** From then on it is gone for every reader, also before it is swept. */
  readonly expiresAt: Instant;
}

/** Bytes in UTF-8 of one response: items and body together. A larger one is not kept. */
export const STORED_RESPONSE_MAXIMUM_BYTES = 256 * 1024;
/** Responses of one account. */
export const STORED_RESPONSES_MAXIMUM = 500;
/** Bytes of one account's responses together. */
export const STORED_RESPONSES_MAXIMUM_BYTES = 32 * 1024 * 1024;
/** Responses that one request may continue, its predecessors included. */
export const RESPONSE_CHAIN_MAXIMUM = 200;

/** Keeps responses for their accounts for a while. Nothing in it refers to money. */
export interface ResponseStore {
  /**
   * Keeps a response in a transaction of its own, and drops the account's oldest ones that exceed a bound.
   * Answers whether it was kept: one that is too large is not. Keeping the same id again changes nothing.
   */
  keep(response: KeepResponse): Promise<boolean>;
  /** One of the account's responses; `null` when there is none, or none any more. */
  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null>;
  /**
   * The response and those that it continues, the first one first.
   * `null` when any of them is gone, or when there are more than `RESPONSE_CHAIN_MAXIMUM`.
   */
  chain(accountId: AccountId, id: string, at: Instant): Promise<readonly StoredResponse[] | null>;
  /** Whether there was one to remove. */
  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean>;
  /** Removes what has expired, a bounded number at a time; says how many. */
  sweep(now: Instant): Promise<number>;
}
