import { GatewayError } from '@tollgate/core';
import type { NextFunction, Request, Response } from 'express';

/** Refuses a request that a proxy before the gateway may have understood in another way: HTTP/1.1 demands exactly one host, and two keys are two callers. */
export function refuseAmbiguousHeaders(req: Request, _res: Response, next: NextFunction): void {
  const ambiguity = ambiguityOf(req);
  next(ambiguity === null ? undefined : new GatewayError('invalid_request', ambiguity));
}

const HOST = 'host';
const AUTHORIZATION = 'authorization';

function isNamed(name: string, expected: string): boolean {
  return name.length === expected.length && name.toLowerCase() === expected;
}

/** What is ambiguous about a request's headers, in words for its client; `null` when nothing is. Node keeps only the first of either header. */
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
