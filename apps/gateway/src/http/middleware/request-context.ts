import { type Clock, GatewayError, type IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import type { Request, RequestHandler, Response } from 'express';
import { clientAddressOf } from '../client-address.js';
import type { DiscardPace } from '../discard-pace.js';
import { errorFormatOf, type OfferedFormats } from '../error-format.js';
import { HttpExchange } from '../http-exchange.js';
import { onceLeftToClient } from '../reply/leave-to-client.js';
import type { RefusalDelay } from '../reply/refusal-delay.js';
import { NO_SNIFFING } from '../reply/send-json.js';
import type { AdmissionGate } from '../admission-gate.js';
import type { RunningExchanges } from '../running-exchanges.js';
import type { NetworkShares } from '../server/network-shares.js';
import { refuseAmbiguousHeaders } from './refuse-ambiguous-headers.js';

export interface RequestContextPorts {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly formats: OfferedFormats;
  readonly exchanges: RunningExchanges;
  readonly gate: AdmissionGate;
  readonly shares: NetworkShares;
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly discards: DiscardPace;
  readonly delay: RefusalDelay;
  readonly observers: readonly RequestObserver[];
}

export interface RequestObserver {
  /** Called once, when reply and work have ended. */
  requestDone(exchange: HttpExchange): void;
}

const CLOSING = { connection: 'close' };

/** The first middleware: opens the exchange of a request, and refuses what no route may see. */
export function requestContext(ports: RequestContextPorts): RequestHandler {
  const { delay, shares } = ports;
  const open = exchangeOpener(ports);
  return (req, res, next) => {
    // Pipelining behind a refusal that waits would evade its delay.
    if (delay.isWaitingOn(req.socket)) {
      req.socket.destroy();
      return;
    }
    keepConnectionsForOthers(open(req, res), shares);
    refuseAmbiguousHeaders(req);
    next();
  };
}

/** Returns a function that creates the exchange of a request, with an id, and adds it to the running exchanges until it ends. */
function exchangeOpener({ ids, clock, formats, exchanges, gate, trustedProxies, discards, observers }: RequestContextPorts): (req: Request, res: Response) => HttpExchange {
  const addressOf = clientAddressOf(trustedProxies);
  const onDone = (exchange: HttpExchange): void => {
    exchanges.delete(exchange);
    for (const observer of observers) observer.requestDone(exchange);
  };
  return (req, res) => {
    const requestId = ids.requestId();
    const exchange = new HttpExchange({
      req, res, requestId, clientAddress: addressOf(req), clock, startedAt: clock.now(), errorFormat: errorFormatOf(req, formats), discards, onDone,
    });
    exchange.addHeaders(requestIdHeaders(requestId));
    exchange.addHeaders(NO_SNIFFING);
    if (!gate.isOpen) exchange.addHeaders(CLOSING);
    res.locals = { exchange };
    exchanges.add(exchange);
    return exchange;
  };
}

/** Refuses requests of busy networks while connections are scarce. */
function keepConnectionsForOthers({ res, clientAddress }: HttpExchange, shares: NetworkShares): void {
  const end = shares.begin(clientAddress);
  if (end === null) throw new GatewayError('server_busy', 'The gateway is processing too many requests from your network at the moment. Please try again.', { retryAfterSeconds: 1 });
  onceLeftToClient(res, end);
}
