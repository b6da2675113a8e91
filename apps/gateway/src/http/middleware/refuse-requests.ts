import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { GatewayError } from '@tollgate/core';
import type { RefusalDelay } from '../reply/error-reply.js';
import { refuseUnknownFraming } from '../body/read-body.js';
import { unofferedPath } from '../request-path.js';
import { exchangeOf } from './request-context.js';

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

/** Refuses a request that a proxy before the gateway may have understood in another way: HTTP/1.1 demands exactly one host, and two keys are two callers. */
export function refuseAmbiguousHeaders(req: Request, _res: Response, next: NextFunction): void {
  const ambiguity = ambiguityOf(req);
  next(ambiguity === null ? undefined : new GatewayError('invalid_request', ambiguity));
}

/** Ends a connection that sends a further request while a refusal waits on it: pipelining would evade the delay. */
export function refusePipelining(delay: RefusalDelay): RequestHandler {
  return (req, _res, next) => {
    if (delay.isWaitingOn(req.socket)) req.socket.destroy();
    else next();
  };
}

/** Refuses a body that a proxy before the gateway may have framed in another way. */
export const checkFraming: RequestHandler = (req, _res, next) => {
  refuseUnknownFraming(req.headers);
  next();
};

/** Refuses every request: no endpoint has its path. */
export const refuseUnknownPath: RequestHandler = (req) => {
  throw unofferedPath(req.originalUrl);
};

/** Refuses every request: the endpoints of its path have other methods. */
export function refuseOtherMethods(allowed: string): RequestHandler {
  return (_req, res) => {
    exchangeOf(res).addHeaders({ allow: allowed });
    throw new GatewayError('method_not_allowed', `This address answers only ${allowed}.`);
  };
}
