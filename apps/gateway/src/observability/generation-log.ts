import { UpstreamFailure } from '@tollgate/adapters-upstream';
import {
  type CandidateFailure, type Clock, type GenerationObserver, type GenerationOutcome, type ImplausibleUsage, outputTokensOf, promptTokensOf,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { RunningExchanges } from '../http/running-exchanges.js';
import { HourlyWarnings } from './hourly-warnings.js';

interface LoggingObserverPorts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly exchanges: RunningExchanges;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Logs failures, and stores the outcome on the exchange. */
class LoggingObserver implements GenerationObserver {
  readonly #implausible: HourlyWarnings;

  constructor(private readonly ports: LoggingObserverPorts) {
    this.#implausible = new HourlyWarnings(ports.clock);
  }

  candidateFailed({ requestId, model, target, failure }: CandidateFailure): void {
    const facts = { requestId, model: model.slug, upstream: target.upstreamId, problem: messageOf(failure) };
    // The upstream log reports failed calls. Calls that an open circuit refuses are too frequent to report.
    if (failure instanceof UpstreamFailure) this.ports.log.debug(facts, 'a candidate failed to serve a request');
    else this.ports.log.warn(facts, 'a candidate failed to serve a request');
  }

  generationEnded(outcome: GenerationOutcome): void {
    this.ports.exchanges.find(outcome.facts.requestId)?.note(outcome);
  }

  usageImplausible({ requestId, model, target: { upstreamId: upstream, upstreamModel }, reported, counted }: ImplausibleUsage): void {
    const count = this.#implausible.count(JSON.stringify([upstream, upstreamModel]));
    if (count === null) return;
    const charged = { promptTokens: promptTokensOf(counted), outputTokens: outputTokensOf(counted) };
    this.ports.log.warn({ requestId, upstream, model: model.slug, upstreamModel, count, reported, charged }, 'an upstream reported implausible usage; the gateway charges for the tokens that it counted itself');
  }

  settlementFailed({ reservationId, facts, cause }: Parameters<GenerationObserver['settlementFailed']>[0]): void {
    this.ports.log.error({ requestId: facts.requestId, reservationId, err: cause }, 'a request could not be settled; its reservation remains until a retry succeeds or the sweeper ends it');
  }

  releaseFailed({ requestId, cause }: Parameters<GenerationObserver['releaseFailed']>[0]): void {
    this.ports.log.error({ requestId, err: cause }, 'a slot could not be released; it remains taken until its lease expires');
  }
}

/** An observer that logs, and also counts with `traffic` if metrics are on. */
export function generationObserver(ports: LoggingObserverPorts, traffic: GenerationObserver | null): GenerationObserver {
  const logging = new LoggingObserver(ports);
  return traffic === null ? logging : observerChain([logging, traffic]);
}

/** Calls the observers in this order. */
function observerChain(observers: readonly GenerationObserver[]): GenerationObserver {
  return {
    candidateFailed: (failure) => observers.forEach((observer) => observer.candidateFailed(failure)),
    generationEnded: (outcome) => observers.forEach((observer) => observer.generationEnded(outcome)),
    usageImplausible: (report) => observers.forEach((observer) => observer.usageImplausible(report)),
    settlementFailed: (failure) => observers.forEach((observer) => observer.settlementFailed(failure)),
    releaseFailed: (failure) => observers.forEach((observer) => observer.releaseFailed(failure)),
  };
}
