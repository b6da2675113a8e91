import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@tollgate/core';
import { decodingsOf } from './body-encoding.js';
import { MAX_BODY_BYTES } from './body-room.js';

/** Refuses, by headers, bodies that are too large, in an unknown encoding, or not JSON. */
export function checkBodyHeaders(headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw payloadTooLarge();
  decodingsOf(headers['content-encoding']);
  refuseUnreadableType(headers['content-type']);
}

/** Accepts `Transfer-Encoding: chunked` only, because proxies may interpret other framings differently (request smuggling). */
export function refuseUnknownFraming(headers: IncomingHttpHeaders): void {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined || encoding === 'chunked') return;
  throw new GatewayError('invalid_request', 'The only Transfer-Encoding accepted is "chunked".');
}

const JSON_TYPE_PATTERN = /^(?:application|text)\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/;
const CHARSET_PATTERN = /;\s*charset\s*=\s*"?([^";\s]+)/;
const ACCEPTED_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

export function payloadTooLarge(maximumBytes = MAX_BODY_BYTES): GatewayError {
  return new GatewayError('payload_too_large', `The request body is larger than ${maximumBytes} bytes.`);
}

function refuseUnreadableType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const lowered = contentType.toLowerCase();
  const parameters = lowered.indexOf(';');
  const type = (parameters === -1 ? lowered : lowered.slice(0, parameters)).trim();
  if (!JSON_TYPE_PATTERN.test(type)) {
    throw new GatewayError('unsupported_media_type', 'The request body must be JSON: send it with "Content-Type: application/json".');
  }
  const charset = parameters === -1 ? undefined : CHARSET_PATTERN.exec(lowered)?.[1];
  if (charset !== undefined && !ACCEPTED_CHARSETS.has(charset)) {
    throw new GatewayError('unsupported_media_type', 'The request body must be JSON in UTF-8.');
  }
}
