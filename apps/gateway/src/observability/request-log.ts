import type { Clock } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';

/** Length up to which a text is searched for keys and addresses. */
const SEARCHED_CHARACTERS = 1000;
/** Maximum length of a logged path: clients may request paths of any length. */
const MAX_CHARACTERS = 200;

/** API keys of this or another service, also percent-encoded. */
const KEY = /sk(?:-|%2d)(?:[\w-]|%[0-9a-f]{2}){16,}/gi;
const MACHINE_SECRET = /tgm(?:_|%5f)[a-z0-9]{16,}/gi;

function withoutSecrets(text: string): string {
  return text.replace(KEY, 'sk-[redacted]').replace(MACHINE_SECRET, 'tgm_[redacted]');
}

/** The path without keys that clients put there by mistake. */
export function loggedPath(path: string): string {
  return withoutSecrets(path.slice(0, SEARCHED_CHARACTERS)).slice(0, MAX_CHARACTERS);
}

/** Maximum length of a logged text: messages may quote client text. */
const MAX_TEXT_CHARACTERS = 300;

/** E-mail addresses; the lengths are bounded, so that the search is linear. */
const ADDRESS = /[^\s@'"]{1,64}@[^\s@'"]{1,255}/g;

/** The text without keys and addresses. */
export function loggedText(text: string | null): string | null {
  if (text === null) return null;
  return withoutSecrets(text.slice(0, SEARCHED_CHARACTERS)).replace(ADDRESS, '[address]').slice(0, MAX_TEXT_CHARACTERS);
}

/** Status in the log if the client disconnected before the reply. */
const CLIENT_LEFT_STATUS = 499;

/**
 * Facts of a request for its log line, never a key, body or query. Facts that are `undefined` are left out. The message is the one that the client
 * receives.
 */
export function requestFacts(exchange: HttpExchange, clock: Clock): Readonly<Record<string, unknown>> {
  const { req, res, caller, person, outcome, error } = exchange;
  return {
    requestId: exchange.requestId,
    method: req.method,
    path: loggedPath(pathOf(req.originalUrl)),
    status: res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS,
    code: exchange.refusal,
    message: error === null ? undefined : loggedText(error.message),
    param: error === null ? undefined : loggedText(error.param),
    // Figures of the exceeded limit, which the client does not receive.
    exceeded: error?.exceeded ?? undefined,
    durationMilliseconds: clock.now() - exchange.startedAt,
    clientLeft: exchange.clientLeft,
    accountId: caller?.account.id ?? person?.accountId ?? null,
    personId: person?.id,
    machineId: exchange.machineId ?? undefined,
    keyId: caller?.keyId ?? null,
    requestedModel: loggedText(exchange.requestedModel),
    model: outcome?.ending.service?.servedBy ?? null,
    endReason: outcome?.ending.reason ?? null,
    charged: outcome?.settlement.charge.amount.toString() ?? null,
  };
}

/** Logs one line per request. */
export class RequestLog {
  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  requestDone(exchange: HttpExchange): void {
    if (this.log.isLevelEnabled('info')) this.log.info(requestFacts(exchange, this.clock), 'request');
  }
}
