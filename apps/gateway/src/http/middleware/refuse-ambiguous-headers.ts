import { GatewayError } from '@tollgate/core';
import type { Request } from 'express';

/** Refuses requests with several hosts or keys, or over HTTP/1.1 without a host, because proxies may interpret them differently. */
export function refuseAmbiguousHeaders(req: Request): void {
  const ambiguity = ambiguityOf(req);
  if (ambiguity !== null) throw new GatewayError('invalid_request', ambiguity);
}

const HOST = 'host';
const AUTHORIZATION = 'authorization';

function isNamed(name: string, expected: string): boolean {
  return name.length === expected.length && name.toLowerCase() === expected;
}

/** Message for the client; `null` if the headers are unambiguous. Node exposes only the first header of each name. */
function ambiguityOf({ rawHeaders, headers, httpVersion }: Request): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isNamed(name, HOST)) hosts += 1;
    else if (isNamed(name, AUTHORIZATION) && rawHeaders[at + 1] !== headers.authorization) {
      return 'The request has several Authorization headers with different values.';
    }
  }
  if (hosts > 1) return 'The request has more than one Host header.';
  return hosts === 0 && httpVersion !== '1.0' ? 'The request has no Host header.' : null;
}
