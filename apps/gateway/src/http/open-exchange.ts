import type { Request, Response } from 'express';
import type { Clock, IdGenerator } from '@tollgate/core';
import { requestIdHeaders } from '@tollgate/wire-kit';
import type { AdmissionGate } from './admission-gate.js';
import type { DiscardPace } from './body/discard-pace.js';
import type { ClientAddress } from './client-address.js';
import { errorFormatOf, type WireFormats } from './error-format.js';
import { Exchange } from './exchange.js';
import { NO_SNIFFING } from './reply/no-sniffing.js';
import type { RunningExchanges } from './running-exchanges.js';

export interface OpenExchangePorts {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly formats: WireFormats;
  readonly exchanges: RunningExchanges;
  readonly gate: AdmissionGate;
  readonly addressOf: ClientAddress;
  readonly discards: DiscardPace;
  /** Told once about every request, when nothing works for it any more. */
  readonly onDone: (exchange: Exchange) => void;
}

/** Tells a client that its connection is not going to take another request. */
const CLOSING = { connection: 'close' };

/** The exchange that a reply belongs to. */
export function exchangeOf(res: Response): Exchange {
  return res.locals['exchange'] as Exchange;
}

/** Names a request, takes the time, and sees that its reply carries its id whatever becomes of it. */
export function exchangeOpener(ports: OpenExchangePorts): (req: Request, res: Response) => Exchange {
  const { ids, clock, formats, exchanges, gate, addressOf, discards, onDone } = ports;
  return (req, res) => {
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
    return exchange;
  };
}
