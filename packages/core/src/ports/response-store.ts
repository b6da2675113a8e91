import type { AccountId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** A response of an account with its input. All texts are JSON. */
export interface StoredResponse {
  readonly id: string;
  /** The response that this one continues; `null` for none. It may expire earlier. */
  readonly previousId: string | null;
  /** A JSON array of the request's own items; referenced items are included in full. */
  readonly inputItems: string;
  /** A JSON array. */
  readonly outputItems: string;
  /** The response as sent, with its reasoning sealed again. */
  readonly body: string;
}

export interface ResponseToKeep extends Omit<StoredResponse, 'inputItems'> {
  /** A JSON array in UTF-8. Must not be modified until `keep` resolves. */
  readonly inputItems: Uint8Array;
}

export interface KeepResponse extends ResponseToKeep {
  readonly accountId: AccountId;
  /** It cannot be read after this time, even before it is swept. */
  readonly expiresAt: Instant;
}

/** UTF-8 bytes of items and body together; a larger response is not stored. */
export const MAX_STORED_RESPONSE_BYTES = 256 * 1024;
/** Per account. */
export const MAX_STORED_RESPONSES = 500;
/** Per account. */
export const MAX_STORED_RESPONSES_BYTES = 32 * 1024 * 1024;
/**
 * Responses kept when an account exceeds a bound; the margin makes trimming rare, because counting an account's responses costs
 * more than storing one.
 */
export const STORED_RESPONSES_LEFT = 468;
export const STORED_RESPONSES_LEFT_BYTES = 30 * 1024 * 1024;
/** Responses that one request may continue, predecessors included. */
export const MAX_RESPONSE_CHAIN = 200;

/** As many of the largest as one request may load. */
export const RESPONSES_PER_FIND = 16;

/** Stored responses that one request may load: about twice the size of a body, since a response repeats its output. */
export const MAX_STORED_BYTES_OF_REQUEST = 4 * 1024 * 1024;

/** A response and its predecessors. */
export type ResponseChain =
  /** Oldest first. */
  | { readonly outcome: 'found'; readonly responses: readonly StoredResponse[] }
  /** One of them is missing or expired, or there are more than `MAX_RESPONSE_CHAIN`. */
  | { readonly outcome: 'missing' }
  /** They exceed `MAX_STORED_BYTES_OF_REQUEST`; no text was read. */
  | { readonly outcome: 'too-large' };

export type ChainSize =
  /** Bytes of all its responses. */
  | { readonly outcome: 'found'; readonly bytes: number }
  | { readonly outcome: 'missing' | 'too-large' };

/** Nothing in it affects billing. */
export interface ResponseStore {
  /**
   * Stores a response in a transaction of its own. If the account then exceeds a bound, its oldest responses are removed, down to
   * `STORED_RESPONSES_LEFT`. Returns false for a response that is too large. Idempotent by id.
   */
  keep(response: KeepResponse): Promise<boolean>;
  /** `null` if it does not exist or has expired. */
  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null>;
  /** The bytes that `findAll` would read; reads no text. */
  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number>;
  /** The bytes that `chain` would read; reads no text. */
  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize>;
  /** The unexpired ones of at most `RESPONSES_PER_FIND` ids, in the order of the ids. */
  findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]>;
  /** The response and its predecessors, within the bounds of one request. */
  chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain>;
  /** Returns false if it did not exist. */
  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean>;
  /** Removes expired responses, bounded in number and bytes per call; returns how many. */
  sweep(now: Instant): Promise<number>;
}

export const MAX_RESPONSE_SWEEP = 500;
/** A sweep ends with the response that reaches this sum. */
export const RESPONSE_SWEEP_BYTES = 4 * 1024 * 1024;
