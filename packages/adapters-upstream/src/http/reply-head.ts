import type { Instant } from '@tollgate/core';
import { mediaTypeOf } from './media-type.js';
import { readRetryAfter } from './retry-after.js';

export interface ReplyHead {
  readonly status: number;
  /** Lower case, without parameters; empty without the header. */
  readonly contentType: string;
  /** `null` without a valid `retry-after`. */
  readonly retryAfterSeconds: number | null;
}

type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Of repeated headers, the first counts: proxies append theirs. */
export function readHead(status: number, headers: ReplyHeaders, now: Instant): ReplyHead {
  const textOf = (name: string): string => [headers[name]].flat()[0] ?? '';
  return { status, contentType: mediaTypeOf(textOf('content-type')), retryAfterSeconds: readRetryAfter(textOf('retry-after'), now) };
}
