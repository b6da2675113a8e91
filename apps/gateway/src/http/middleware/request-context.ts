import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Clock, IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import type { AdmissionGate, RunningExchanges } from '../running-exchanges.js';
import type { DiscardPace } from '../discard-pace.js';
import { clientAddressOf } from '../client-address.js';
import { errorFormatOf, type WireFormats } from '../request-path.js';
import { HttpExchange } from '../http-exchange.js';
import { NO_SNIFFING } from '../reply/send-json.js';
import type { ErrorReply } from '../reply/error-reply.js';

export interface RequestContextPorts {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly formats: WireFormats;
  readonly exchanges: RunningExchanges;
  readonly gate: AdmissionGate;
  /** Networks of proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies: readonly string[];
  readonly discards: DiscardPace;
  /** Told once about every request, when its reply and its work are over. */
  readonly onDone: (exchange: HttpExchange) => void;
}

/** Tells a client that its connection takes no further request. */
const CLOSING = { connection: 'close' };

/** The exchange that a reply belongs to. */
export function exchangeOf(res: Response): HttpExchange {
  return res.locals['exchange'] as HttpExchange;
}

/** Gives each request an id, a start time and an exchange, which all later middlewares find by its reply. */
export function requestContext({ ids, clock, formats, exchanges, gate, trustedProxies, discards, onDone }: RequestContextPorts): RequestHandler {
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
      onDone(exchange);
    });
    next();
  };
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
