import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@tollgate/core';

const BEARER_PATTERN = /^bearer(?: +(.*))?$/is;

function ofAuthorization(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const match = BEARER_PATTERN.exec(header);
  if (match === null) {
    throw new GatewayError('invalid_api_key', 'The Authorization header must have the form "Bearer sk-...".');
  }
  const key = (match[1] ?? '').trim();
  return key === '' ? null : key;
}

function ofKeyHeader(header: string | readonly string[] | undefined): string | null {
  const key = typeof header === 'string' ? header.trim() : '';
  return key === '' ? null : key;
}

/** Reads the key from either header; `null` if neither has one. Throws if `Authorization` is malformed, or if the headers carry different keys. */
export function readCredential(headers: IncomingHttpHeaders): string | null {
  const bearer = ofAuthorization(headers.authorization);
  const direct = ofKeyHeader(headers['x-api-key']);
  if (bearer !== null && direct !== null && bearer !== direct) {
    throw new GatewayError('invalid_api_key', 'The Authorization and x-api-key headers carry different keys.');
  }
  return bearer ?? direct;
}
