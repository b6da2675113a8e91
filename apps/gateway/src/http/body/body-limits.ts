import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@tollgate/core';

/** 2 MiB: the largest body that is read. */
export const BODY_MAXIMUM_BYTES = 2_097_152;
/** Deepest nesting of arrays and objects that is parsed. */
export const JSON_MAXIMUM_DEPTH = 64;
/** Keys of all objects in a body together, and items of all lists: a value takes many times the memory of its text. */
export const JSON_MAXIMUM_KEYS = 32_768;
export const JSON_MAXIMUM_ITEMS = 131_072;

const JSON_TYPE_PATTERN = /^(?:application|text)\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/;
const CHARSET_PATTERN = /;\s*charset\s*=\s*"?([^";\s]+)/;
const ACCEPTED_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

export function payloadTooLarge(): GatewayError {
  return new GatewayError('payload_too_large', `The request body is larger than ${BODY_MAXIMUM_BYTES} bytes.`);
}

/** A body framed in any way but the plain two could be read differently by a proxy, so it is not read at all. */
export function refuseUnknownFraming(headers: IncomingHttpHeaders): void {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined || encoding === 'chunked') return;
  throw new GatewayError('invalid_request', 'The only Transfer-Encoding accepted is "chunked".');
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

/** Refuses by its headers alone what would not be read to its end: too large, compressed, or not JSON. */
export function checkBodyHeaders(headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length'] ?? 0) > BODY_MAXIMUM_BYTES) throw payloadTooLarge();
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_media_type', 'Compressed request bodies are not accepted: send it without Content-Encoding.');
  }
  refuseUnreadableType(headers['content-type']);
}
