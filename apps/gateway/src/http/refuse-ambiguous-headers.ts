import type { NextFunction, Request, Response } from 'express';
import { GatewayError } from '@tollgate/core';

/** Every value of a header in the order in which they were sent, also of headers of which Node keeps only the first. */
function valuesOf({ rawHeaders }: Request, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at] ?? '';
    if (candidate.length === name.length && candidate.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** What is ambiguous about a request's headers, in words for its client; `null` when nothing is. */
function ambiguityOf(req: Request): string | null {
  const hosts = valuesOf(req, 'host').length;
  if (hosts > 1) return 'The request has more than one Host header.';
  if (hosts === 0 && req.httpVersion !== '1.0') return 'The request has no Host header.';
  if (new Set(valuesOf(req, 'authorization')).size > 1) return 'The request has several Authorization headers with different values.';
  return null;
}

/** Refuses a request that a proxy before the gateway may have understood in another way: HTTP/1.1 demands exactly one host, and two keys are two callers. */
export function refuseAmbiguousHeaders(req: Request, _res: Response, next: NextFunction): void {
  const ambiguity = ambiguityOf(req);
  next(ambiguity === null ? undefined : new GatewayError('invalid_request', ambiguity));
}
