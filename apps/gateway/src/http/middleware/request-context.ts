import { type Clock, GatewayError, type IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import type { RequestHandler } from 'express';
import { clientAddressOf } from '../client-address.js';
import type { DiscardPace } from '../discard-pace.js';
import { errorFormatOf, type OfferedFormats } from '../error-format.js';
import { HttpExchange } from '../http-exchange.js';
import { onceLeftToClient } from '../reply/leave-to-client.js';
import { NO_SNIFFING } from '../reply/send-json.js';
import type { AdmissionGate } from '../admission-gate.js';
import type { RunningExchanges } from '../running-exchanges.js';
import type { NetworkShares } from '../server/network-shares.js';
import { exchangeOf } from './answer.js';

export interface RequestContextPorts {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly formats: OfferedFormats;
  readonly exchanges: RunningExchanges;
  readonly gate: AdmissionGate;
  readonly shares: NetworkShares;
  /** Whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly discards: DiscardPace;
  readonly observers: readonly RequestObserver[];
}

export interface RequestObserver {
  /** Called once, when reply and work have ended. */
  requestDone(exchange: HttpExchange): void;
}

const CLOSING = { connection: 'close' };

/** Creates the exchange, with id and start time, found by the reply. */
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
    res.locals = { exchange };
    exchanges.add(exchange);
    void exchange.done.then(() => {
      exchanges.delete(exchange);
      for (const observer of observers) observer.requestDone(exchange);
    });
    next();
  };
}

/** Refuses requests of busy networks while connections are scarce. */
export function keepConnectionsForOthers({ shares }: Pick<RequestContextPorts, 'shares'>): RequestHandler {
  return (_req, res, next) => {
    const end = shares.begin(exchangeOf(res).clientAddress);
    if (end === null) throw new GatewayError('server_busy', 'The gateway is processing too many requests from your network at the moment. Please try again.', { retryAfterSeconds: 1 });
    onceLeftToClient(res, end);
    next();
  };
}
