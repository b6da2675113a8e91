import type { Caller } from '@tollgate/core';
import type { Exchange } from './exchange.js';

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete';

/** One method of one path, for callers with a key. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** An Express path. */
  readonly path: string;
  /** Its replies state the caller's rate limits, refusals included. */
  readonly statesQuota: boolean;
  /** Replies, or throws what the error reply is made of. */
  readonly handle: (exchange: Exchange, caller: Caller) => Promise<void>;
}

/** An endpoint that only reads. */
export function readEndpoint(path: string, handle: Endpoint['handle']): Endpoint {
  return { method: 'get', path, statesQuota: false, handle };
}
