import type { AccountId } from '../primitives.js';
import type { Instant } from '../time.js';

/** A reply that is kept for its account, with the input it answered. All texts are JSON. */
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
  /** From then on no reader finds it, also before it is swept. */
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
   * Keeps a response in a transaction of its own, and removes the account's oldest ones as far as they exceed a bound.
   * Returns whether it is kept: a response that is too large is not. Keeping the same id again changes nothing.
   */
  keep(response: KeepResponse): Promise<boolean>;
  /** One response of the account; `null` when there is none, or it has expired. */
  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null>;
  /**
   * The response and those that it continues, the first one first.
   * `null` when one of them is missing or has expired, or when there are more than `RESPONSE_CHAIN_MAXIMUM`.
   */
  chain(accountId: AccountId, id: string, at: Instant): Promise<readonly StoredResponse[] | null>;
  /** Returns whether there was one. */
  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean>;
  /** Removes expired responses, a bounded number of them and of their bytes at a time; returns how many. */
  sweep(now: Instant): Promise<number>;
}

/** Responses that one sweep removes at most. */
export const RESPONSE_SWEEP_MAXIMUM = 500;
/** A sweep ends with the response that reaches this many bytes. */
export const RESPONSE_SWEEP_BYTES = 4 * 1024 * 1024;
