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

/** Of a header that a proxy has added once more, the first one counts, which is the server's own. */
export function readHead(status: number, headers: ReplyHeaders, now: Instant): ReplyHead {
  const textOf = (name: string): string => [headers[name]].flat()[0] ?? '';
  return { status, contentType: mediaTypeOf(textOf('content-type')), retryAfterSeconds: readRetryAfter(textOf('retry-after'), now) };
}
