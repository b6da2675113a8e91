import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

/** A response and its input. All texts are JSON. */
export interface StoredResponse {
  readonly id: string;
  /** The response that this one continues, which may expire earlier; `null` for none. */
  readonly previousId: string | null;
  /** JSON array of the request's own items, with referenced items in full. */
  readonly inputItems: string;
  /** JSON array. */
  readonly outputItems: string;
  /** The body as sent; its reasoning is encrypted. */
  readonly body: string;
}

export interface ResponseToKeep extends Omit<StoredResponse, 'inputItems'> {
  /** JSON array in UTF-8. Must not change until `keep` resolves. */
  readonly inputItems: Uint8Array;
}

export interface KeepResponse extends ResponseToKeep {
  readonly accountId: AccountId;
  /** The response is unreadable from then on, even before the sweep. */
  readonly expiresAt: Instant;
}

/** UTF-8 bytes of items and body; larger responses are not stored. */
export const MAX_STORED_RESPONSE_BYTES = 256 * 1024;
/** Per account. */
export const MAX_STORED_RESPONSES = 500;
/** Per account. */
export const MAX_STORED_RESPONSES_BYTES = 32 * 1024 * 1024;
/** Responses that remain after a bound was exceeded. The margin makes trimming rare: counting an account's responses costs more than storing one. */
export const STORED_RESPONSES_LEFT = 468;
export const STORED_RESPONSES_LEFT_BYTES = 30 * 1024 * 1024;
/** Maximum length of the chain of responses that one request may continue. */
export const MAX_RESPONSE_CHAIN = 200;

/** Maximum number of ids of one `findAll`: at the maximum size, this many responses reach `MAX_STORED_BYTES_OF_REQUEST`. */
export const RESPONSES_PER_FIND = 16;

/** Bytes of stored responses that one request may load: about twice the maximum size of a body, as a stored response contains its output twice. */
export const MAX_STORED_BYTES_OF_REQUEST = 4 * 1024 * 1024;

/** A response with its predecessors. */
export type ResponseChain =
  /** Oldest first. */
  | { readonly outcome: 'found'; readonly responses: readonly StoredResponse[] }
  /** A response of the chain is missing or expired, or the chain is longer than `MAX_RESPONSE_CHAIN`. */
  | { readonly outcome: 'missing' }
  /** The chain exceeds `MAX_STORED_BYTES_OF_REQUEST`. */
  | { readonly outcome: 'too-large' };

export type ChainSize =
  /** Bytes of all responses. */
  | { readonly outcome: 'found'; readonly bytes: number }
  | { readonly outcome: 'missing' | 'too-large' };

/** Stored responses do not affect billing. */
export interface ResponseStore {
  /**
   * Stores the response apart from any booking; a power failure may lose it. If the account exceeds a bound, removes its oldest responses, down to
   * `STORED_RESPONSES_LEFT` or `STORED_RESPONSES_LEFT_BYTES`. False for a response that is too large. Idempotent by id. Stores nothing for a deleted
   * account; the erasure after a deletion removes every response that was stored before.
   */
  keep(response: KeepResponse): Promise<boolean>;
  /** `null` if the response does not exist or has expired. */
  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null>;
  /** Bytes that `findAll` would read. Reads no text itself. */
  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number>;
  /** Bytes that `chain` would read. Reads no text itself. */
  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize>;
  /** The unexpired responses of at most `RESPONSES_PER_FIND` ids, in the order of the ids. */
  findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]>;
  /** The response and its predecessors, within the bounds of one request. */
  chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain>;
  /** False if the response did not exist or has expired. */
  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean>;
  /** Deletes expired responses, bounded in number and bytes per call; returns how many. */
  sweep(now: Instant): Promise<number>;
}

export const MAX_RESPONSE_SWEEP = 250;
/** A sweep stops once the responses that it deletes reach this size. */
export const RESPONSE_SWEEP_BYTES = 1024 * 1024;
