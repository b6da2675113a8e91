import type { AccountId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** A reply that is kept for its account, with the input it answered. All texts are JSON. */
export interface StoredResponse {
  readonly id: string;
  /** The response that this one continues; `null` for a first one. It may have expired before this one. */
  readonly previousId: string | null;
  /** The request's own input items, as a JSON list. What was sent by reference stands here in full. */
  readonly inputItems: string;
  /** The reply's items, as a JSON list. */
  readonly outputItems: string;
  /** The whole reply as JSON text: what its client was sent, its reasoning sealed once more. */
  readonly body: string;
}

/** A response before it is kept. */
export interface ResponseToKeep extends Omit<StoredResponse, 'inputItems'> {
  /** A JSON list in UTF-8. The caller must not modify it until `keep` resolves. */
  readonly inputItems: Uint8Array;
}

export interface KeepResponse extends ResponseToKeep {
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
/**
 * What an account is left with once it has had more: the newest of its responses, as many as keep to both of these bounds. The difference
 * is room for the next ones, since to count an account's responses takes longer than to keep one.
 */
export const STORED_RESPONSES_LEFT = 468;
export const STORED_RESPONSES_LEFT_BYTES = 30 * 1024 * 1024;
/** Responses that one request may continue, its predecessors included. */
export const RESPONSE_CHAIN_MAXIMUM = 200;

/** Responses that are found together: as many of the largest as one request may bring in. */
export const RESPONSES_PER_FIND = 16;

/** Bytes of stored responses that one request may bring in: about twice what a body may have, since a response repeats its output. */
export const STORED_BYTES_OF_REQUEST_MAXIMUM = 4 * 1024 * 1024;

/** A response and those that it continues. */
export type ResponseChain =
  /** The first one first. */
  | { readonly outcome: 'found'; readonly responses: readonly StoredResponse[] }
  /** One of them is missing or has expired, or there are more than `RESPONSE_CHAIN_MAXIMUM`. */
  | { readonly outcome: 'missing' }
  /** Those that were followed have more than `STORED_BYTES_OF_REQUEST_MAXIMUM`. None of their texts is read. */
  | { readonly outcome: 'too-large' };

/** What a chain would bring in. */
export type ChainSize =
  /** Bytes of all its responses. */
  | { readonly outcome: 'found'; readonly bytes: number }
  | { readonly outcome: 'missing' | 'too-large' };

/** Keeps responses for their accounts for a while. Nothing in it refers to money. */
export interface ResponseStore {
  /**
   * Keeps a response in a transaction of its own. If the account then exceeds a bound, its oldest responses are removed, to `STORED_RESPONSES_LEFT`.
   * Returns whether it is kept: a response that is too large is not. Keeping the same id again changes nothing.
   */
  keep(response: KeepResponse): Promise<boolean>;
  /** One response of the account; `null` when there is none, or it has expired. */
  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null>;
  /** Bytes of what `findAll` would read; reads no text. */
  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number>;
  /** Bytes of what `chain` would read; reads no text. */
  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize>;
  /** Those of at most `RESPONSES_PER_FIND` responses that the account has and that have not expired, in the order of their ids. */
  findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]>;
  /** The response and those that it continues, as far as one request may bring them in. */
  chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain>;
  /** Returns whether there was one. */
  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean>;
  /** Removes expired responses, a bounded number of them and of their bytes at a time; returns how many. */
  sweep(now: Instant): Promise<number>;
}

/** Responses that one sweep removes at most. */
export const RESPONSE_SWEEP_MAXIMUM = 500;
/** A sweep ends with the response that reaches this many bytes. */
export const RESPONSE_SWEEP_BYTES = 4 * 1024 * 1024;
