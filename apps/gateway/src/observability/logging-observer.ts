import { UpstreamFailure } from '@tollgate/adapters-upstream';
import type { CandidateFailure, GenerationObserver, GenerationOutcome } from '@tollgate/core';
import type { Logger } from 'pino';
import type { RunningExchanges } from '../http/running-exchanges.js';

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
    this.ports.log.error({ requestId, err: cause }, 'a slot could not be given back; it is busy until its lease runs out');
  }
}
