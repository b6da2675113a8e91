import type { RequestHandler, Response } from 'express';
import type { Clock, IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import type { AdmissionGate } from '../admission-gate.js';
import type { DiscardPace } from '../discard-pace.js';
import { clientAddressOf } from '../client-address.js';
import { errorFormatOf, type WireFormats } from '../error-format.js';
import { Exchange } from '../exchange.js';
import { NO_SNIFFING } from '../reply/no-sniffing.js';
import type { RunningExchanges } from '../running-exchanges.js';

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
  readonly onDone: (exchange: Exchange) => void;
}

/** Tells a client that its connection takes no further request. */
const CLOSING = { connection: 'close' };

/** The exchange that a reply belongs to. */
export function exchangeOf(res: Response): Exchange {
  return res.locals['exchange'] as Exchange;
}

/** Gives each request an id, a start time and an exchange, which all later middlewares find by its reply. */
export function requestContext({ ids, clock, formats, exchanges, gate, trustedProxies, discards, onDone }: RequestContextPorts): RequestHandler {
  const addressOf = clientAddressOf(trustedProxies);
  return (req, res, next) => {
    const requestId = ids.requestId();
    const exchange = new Exchange({
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
