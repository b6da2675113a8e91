import type { CandidateFailure, Clock, GenerationObserver, GenerationOutcome } from '@tollgate/core';
import type { Logger } from 'pino';
import { UpstreamFailure } from '@tollgate/adapters-upstream';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-path.js';
import type { RunningExchanges } from '../http/running-exchanges.js';

/** Longest part of a path that is logged: paths that no endpoint answers may be of any length. */
const MAXIMUM_CHARACTERS = 200;

/** What may be a key, ours or another service's, also percent-encoded. */
const KEY = /sk(?:-|%2d)(?:[\w-]|%[0-9a-f]{2}){16,}/gi;

/** A path as it may be logged, without the keys that a client put into it by mistake. */
export function loggedPath(path: string): string {
  return path.replaceAll(KEY, 'sk-[redacted]').slice(0, MAXIMUM_CHARACTERS);
}

/** Status that the log gives to a request whose client left before its reply began. */
const CLIENT_LEFT_STATUS = 499;

/** What a request's one line says. Never a key, never a body, never a query. */
export function requestFacts(exchange: HttpExchange, clock: Clock): Readonly<Record<string, unknown>> {
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
export function requestLog(log: Logger, clock: Clock): (exchange: HttpExchange) => void {
  return (exchange) => {
    if (log.isLevelEnabled('info')) log.info(requestFacts(exchange, clock), 'request');
  };
}

export interface LoggingObserverPorts {
  readonly log: Logger;
  readonly exchanges: RunningExchanges;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Logs what went wrong behind a request, and notes on its exchange what it was charged. */
export class LoggingObserver implements GenerationObserver {
  constructor(private readonly ports: LoggingObserverPorts) {}

  candidateFailed({ requestId, model, target, failure }: CandidateFailure): void {
    const facts = { requestId, model: model.slug, upstream: target.upstreamId, problem: messageOf(failure) };
    // Calls that an open circuit refuses are too many for a line each.
    if (failure instanceof UpstreamFailure) this.ports.log.debug(facts, 'a candidate did not serve');
    else this.ports.log.warn(facts, 'a candidate did not serve');
  }

  generationEnded(outcome: GenerationOutcome): void {
    this.ports.exchanges.find(outcome.facts.requestId)?.note(outcome);
  }

  settlementFailed({ reservationId, facts, cause }: Parameters<GenerationObserver['settlementFailed']>[0]): void {
    this.ports.log.error({ requestId: facts.requestId, reservationId, err: cause }, 'a request could not be settled; its reservation is held until it is, or until the sweeper ends it');
  }

  releaseFailed({ requestId, cause }: Parameters<GenerationObserver['releaseFailed']>[0]): void {
    this.ports.log.error({ requestId, err: cause }, 'a slot could not be released; it stays taken until its lease expires');
  }
}

/** Tells several observers, in their order. */
export function observerChain(observers: readonly GenerationObserver[]): GenerationObserver {
  const [only] = observers;
  if (only !== undefined && observers.length === 1) return only;
  return {
    candidateFailed: (failure) => observers.forEach((observer) => observer.candidateFailed(failure)),
    generationEnded: (outcome) => observers.forEach((observer) => observer.generationEnded(outcome)),
    settlementFailed: (failure) => observers.forEach((observer) => observer.settlementFailed(failure)),
    releaseFailed: (failure) => observers.forEach((observer) => observer.releaseFailed(failure)),
  };
}
