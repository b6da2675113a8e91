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

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Of repeated headers, the first counts: proxies append theirs. */
export function readHead(status: number, headers: ReplyHeaders, now: Instant): ReplyHead {
  const retryAfter = firstOf(headers['retry-after']);
  return {
    status,
    contentType: mediaTypeOf(firstOf(headers['content-type']) ?? ''),
    retryAfterSeconds: retryAfter === undefined ? null : readRetryAfter(retryAfter, now),
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
