import type { Instant } from '@tollgate/core';
import { mediaTypeOf } from './media-type.js';
import { readRetryAfter } from './retry-after.js';

export interface ReplyHead {
  readonly status: number;
  /** Media type in lower case, without parameters; empty if the header is missing. */
  readonly contentType: string;
  /** `null` if `retry-after` is missing or invalid. */
  readonly retryAfterSeconds: number | null;
}

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the head. Of repeated headers the first counts, because proxies append their own. */
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
