import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@tollgate/core';

/** The header as it is named in errors. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_KEY_MAXIMUM_CHARACTERS = 255;

const KEY_PATTERN = /^[\x20-\x7e]+$/;

/** The key under which a client may send the request again; `null` when it sent none. Throws `invalid_request` for one that cannot be kept. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_MAXIMUM_CHARACTERS && KEY_PATTERN.test(key)) return key;
  const message = `The header ${IDEMPOTENCY_HEADER} must be 1 to ${IDEMPOTENCY_KEY_MAXIMUM_CHARACTERS} printable ASCII characters.`;
  throw new GatewayError('invalid_request', message, { param: IDEMPOTENCY_HEADER });
}
