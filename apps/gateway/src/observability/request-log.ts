import type { Clock } from '@tollgate/core';
import type { Logger } from 'pino';
import type { Exchange } from '../http/exchange.js';
import { pathOf } from '../http/error-format.js';
import { loggedPath } from './logged-path.js';

/** Status that the log gives to a request whose client left before its reply began. */
const CLIENT_LEFT_STATUS = 499;

/** What a request's one line says. Never a key, never a body, never a query. */
export function requestFacts(exchange: Exchange, clock: Clock): Readonly<Record<string, unknown>> {
  const { req, res, caller, person, outcome } = exchange;
  return {
    requestId: exchange.requestId,
    method: req.method,
    path: loggedPath(pathOf(req.originalUrl)),
    status: res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS,
    code: exchange.refusal,
    durationMilliseconds: clock.now() - exchange.startedAt,
    clientLeft: exchange.clientLeft,
    accountId: caller?.account.id ?? person?.accountId ?? null,
    ...(person === null ? {} : { personId: person.id }),
    keyId: caller?.keyId ?? null,
    model: outcome?.ending.service?.servedBy ?? null,
    endReason: outcome?.ending.reason ?? null,
    charged: outcome?.settlement.charge.amount.toString() ?? null,
  };
}

/** Writes one line for every request, when it is over. */
export function requestLog(log: Logger, clock: Clock): (exchange: Exchange) => void {
  return (exchange) => {
    if (log.isLevelEnabled('info')) log.info(requestFacts(exchange, clock), 'request');
  };
}
