import type { Instant } from '@tollgate/core';
import { mediaTypeOf } from './media-type.js';
import { readRetryAfter } from './retry-after.js';

export interface ReplyHead {
  readonly status: number;
  /** Lower case, without parameters; empty when the server gave none. */
  readonly contentType: string;
  /** What the server asks to wait before another request; `null` when it does not. */
  readonly retryAfterSeconds: number | null;
}

type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function readHead(status: number, { 'content-type': contentType, 'retry-after': retryAfter }: ReplyHeaders, now: Instant): ReplyHead {
  return {
    status,
    contentType: mediaTypeOf(typeof contentType === 'string' ? contentType : ''),
    retryAfterSeconds: typeof retryAfter === 'string' ? readRetryAfter(retryAfter, now) : null,
  };
}
