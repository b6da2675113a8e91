import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { type Clock, GatewayError, type IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import { HttpExchange } from '../http-exchange.js';
import type { AdmissionGate, RunningExchanges } from '../running-exchanges.js';
import { refuseUnknownFraming } from '../body-headers.js';
import type { DiscardPace } from '../discard-pace.js';
import { clientAddressOf } from '../addresses.js';
import { errorFormatOf, type OfferedFormats, unofferedMethod, unofferedPath } from '../request-target.js';
import { NO_SNIFFING } from '../reply/send-json.js';
import { onceLeftToClient } from '../reply/leave-to-client.js';
import type { NetworkShares } from '../server/network-shares.js';
import type { ErrorReply, RefusalDelay } from '../reply/error-reply.js';

export interface RequestContextPorts {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly formats: OfferedFormats;
  readonly exchanges: RunningExchanges;
  readonly gate: AdmissionGate;
  readonly shares: NetworkShares;
  /** Networks of proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies: readonly string[];
  readonly discards: DiscardPace;
  readonly observers: readonly RequestObserver[];
}

interface RequestObserver {
  /** Called once for every request, when its reply and its work are over. */
  requestDone(exchange: HttpExchange): void;
}

/** Tells a client that its connection takes no further request. */
const CLOSING = { connection: 'close' };

/** Gives each request an id, a start time and an exchange, which all later middlewares find by its reply. */
export function requestContext({ ids, clock, formats, exchanges, gate, trustedProxies, discards, observers }: RequestContextPorts): RequestHandler {
  const addressOf = clientAddressOf(trustedProxies);
  return (req, res, next) => {
    const requestId = ids.requestId();
    const exchange = new HttpExchange({
      req, res, requestId, clientAddress: addressOf(req), clock, startedAt: clock.now(), errorFormat: errorFormatOf(req, formats), discards,
    });
    exchange.addHeaders(requestIdHeaders(requestId));
    exchange.addHeaders(NO_SNIFFING);
    if (!gate.isOpen) exchange.addHeaders(CLOSING);
    res.locals['exchange'] = exchange;
    exchanges.add(exchange);
    void exchange.done.then(() => {
      exchanges.delete(exchange);
      for (const observer of observers) observer.requestDone(exchange);
    });
    next();
  };
}

/** The exchange that a reply belongs to. */
export function exchangeOf(res: Response): HttpExchange {
  return res.locals['exchange'] as HttpExchange;
}

/** Answers requests with `handle`, which replies or throws the error to reply with. The last middleware of every route. */
export function answer(handle: (exchange: HttpExchange) => Promise<void> | void): RequestHandler {
  return async (_req, res) => {
    const exchange = exchangeOf(res);
    await handle(exchange);
    exchange.finishWork();
  };
}

/** Answers every request that a middleware or an endpoint refused or failed on. The last middleware of the application. */
export function errorHandler(errors: ErrorReply): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express tells error handlers by their four parameters.
  return (thrown: unknown, _req, res, _next) => {
    const exchange = exchangeOf(res);
    exchange.finishWork();
    void errors.send(exchange, thrown);
  };
}

/** Refuses a request while connections are scarce and its network runs many others. */
export function keepConnectionsForOthers({ shares }: Pick<RequestContextPorts, 'shares'>): RequestHandler {
  return (_req, res, next) => {
    const end = shares.begin(exchangeOf(res).clientAddress);
    if (end === null) throw new GatewayError('server_busy', 'The gateway is processing too many requests from your network at the moment. Please try again.', { retryAfterSeconds: 1 });
    onceLeftToClient(res, end);
    next();
  };
}

/** Ends a connection that sends a further request while a refusal waits on it: pipelining would evade the delay. */
export function refusePipelining(delay: RefusalDelay): RequestHandler {
  return (req, _res, next) => {
    if (delay.isWaitingOn(req.socket)) req.socket.destroy();
    else next();
  };
}

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
  return ({ originalUrl }, res) => {
    const refusal = unofferedMethod(originalUrl, allowed);
    if (refusal.code === 'method_not_allowed') exchangeOf(res).addHeaders({ allow: allowed });
    throw refusal;
  };
}
