import type { Clock, GatewayError } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';

/** What is searched for keys and addresses, so that a long text takes no time. */
const SEARCHED_CHARACTERS = 1000;
/** Longest part of a path that is logged: paths that no endpoint answers may be of any length. */
const MAX_CHARACTERS = 200;

/** What may be a key, ours or another service's, also percent-encoded. */
const KEY = /sk(?:-|%2d)(?:[\w-]|%[0-9a-f]{2}){16,}/gi;

/** A path as it may be logged, without the keys that a client put into it by mistake. */
export function loggedPath(path: string): string {
  return path.slice(0, SEARCHED_CHARACTERS).replaceAll(KEY, 'sk-[redacted]').slice(0, MAX_CHARACTERS);
}

/** Longest message, field or model name that is logged: a message may quote a name that the client wrote. */
const MAX_TEXT_CHARACTERS = 300;

/** What may be an e-mail address. The bounds keep the search linear. */
const ADDRESS = /[^\s@'"]{1,64}@[^\s@'"]{1,255}/g;

/** A text of an error or a request as it may be logged, without the keys and the addresses that it may quote. */
export function loggedText(text: string | null): string | null {
  if (text === null) return null;
  return text.slice(0, SEARCHED_CHARACTERS).replaceAll(KEY, 'sk-[redacted]').replaceAll(ADDRESS, '[address]').slice(0, MAX_TEXT_CHARACTERS);
}

/** Status that the log gives to a request whose client left before its reply began. */
const CLIENT_LEFT_STATUS = 499;

/** What the line says of an error. The figures of a limit are for the operator: no client gets them. */
function errorFacts({ message, param, exceeded }: GatewayError): Readonly<Record<string, unknown>> {
  return { message: loggedText(message), param: loggedText(param), ...(exceeded === null ? {} : { exceeded }) };
}

/** The fields of a request's one line: never a key, a body or a query. The message is the one that the client gets. */
export function requestFacts(exchange: HttpExchange, clock: Clock): Readonly<Record<string, unknown>> {
  const { req, res, caller, person, outcome, error } = exchange;
  return {
    requestId: exchange.requestId,
    method: req.method,
    path: loggedPath(pathOf(req.originalUrl)),
    status: res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS,
    code: exchange.refusal,
    ...(error === null ? {} : errorFacts(error)),
    durationMilliseconds: clock.now() - exchange.startedAt,
    clientLeft: exchange.clientLeft,
    accountId: caller?.account.id ?? person?.accountId ?? null,
    ...(person === null ? {} : { personId: person.id }),
    keyId: caller?.keyId ?? null,
    requestedModel: loggedText(exchange.requestedModel),
    model: outcome?.ending.service?.servedBy ?? null,
    endReason: outcome?.ending.reason ?? null,
    charged: outcome?.settlement.charge.amount.toString() ?? null,
  };
}

/** Writes one line for every request, when it is over. */
export class RequestLog {
  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  requestDone(exchange: HttpExchange): void {
    if (this.log.isLevelEnabled('info')) this.log.info(requestFacts(exchange, this.clock), 'request');
  }
}
