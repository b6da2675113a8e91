import type { CallFacts, CircuitState, FailedCall, ProbeOutcome, ReplyOddities, UpstreamReport } from '@tollgate/adapters-upstream';
import { type Clock, type Instant, later, MILLISECONDS_PER_MINUTE, printable } from '@tollgate/core';
import type { Logger } from 'pino';
import {
  type EmptyEventCounter, emptyEventCounter, type UpstreamFailureCounter, upstreamFailureCounter, type UpstreamProbeCounter, upstreamProbeCounter,
} from './upstream-metrics.js';

/** More finish reasons than servers use; further ones are not logged. */
const MAX_LOGGED_WORDS = 1_000;

interface UpstreamLogPorts {
  readonly log: Logger;
  readonly clock: Clock;
}

/** Logs one line per failure or refusal, and counts them. */
export class UpstreamLog implements UpstreamReport {
  readonly failures: UpstreamFailureCounter = upstreamFailureCounter();
  readonly probes: UpstreamProbeCounter = upstreamProbeCounter();
  readonly emptyEvents: EmptyEventCounter = emptyEventCounter();
  /** Logged finish reasons, by upstream and model. */
  readonly #loggedWords = new Set<string>();
  /** Earliest time of the next alert, by upstream. */
  readonly #alertAgainAt = new Map<string, Instant>();

  constructor(private readonly ports: UpstreamLogPorts) {}

  failed({ facts: { requestId, model, target }, failure, status, said }: FailedCall): void {
    const { upstreamId: upstream, upstreamModel } = target;
    this.failures.inc({ upstream, model: model.slug, reason: failure.reason });
    this.ports.log.warn({
      requestId, upstream, model: model.slug, upstreamModel, status, reason: failure.reason, problem: failure.message, upstreamSaid: said,
      ...(failure.setting === null ? {} : { setting: failure.setting }),
    }, 'an upstream did not serve a request');
    if (failure.reason === 'bad-credentials') this.#alert(upstream);
  }

  circuitChanged({ target: { upstreamId: upstream, upstreamModel } }: CallFacts, state: CircuitState): void {
    if (state === 'open') this.ports.log.warn({ upstream, upstreamModel }, 'a circuit breaker has opened: the gateway does not call the model at the upstream for 10 seconds');
    else this.ports.log.info({ upstream, upstreamModel }, 'a circuit breaker has closed: the upstream serves the model again');
  }

  probed({ requestId, model, target: { upstreamId: upstream, upstreamModel } }: CallFacts, outcome: ProbeOutcome): void {
    this.probes.inc({ upstream, model: model.slug, outcome });
    this.ports.log.info({ requestId, upstream, model: model.slug, upstreamModel, outcome }, 'the gateway called a model itself, to decide whether to open its circuit breaker');
  }

  answered(): void {
    // Answers are not logged.
  }

  noticed(facts: CallFacts, { emptyEvents, unknownFinishWord }: ReplyOddities): void {
    if (emptyEvents > 0) this.emptyEvents.inc({ upstream: facts.target.upstreamId, model: facts.model.slug }, emptyEvents);
    if (unknownFinishWord !== null) this.#logUnknown(facts, printable(unknownFinishWord));
  }

  #logUnknown({ requestId, model, target: { upstreamId: upstream, upstreamModel } }: CallFacts, finishReason: string): void {
    const name = JSON.stringify([upstream, upstreamModel, finishReason]);
    if (this.#loggedWords.has(name) || this.#loggedWords.size >= MAX_LOGGED_WORDS) return;
    this.#loggedWords.add(name);
    this.ports.log.warn({ requestId, upstream, model: model.slug, upstreamModel, finishReason }, 'an upstream ends replies with an unknown finish reason; clients are told that these replies were cut off');
  }

  #alert(upstream: string): void {
    const now = this.ports.clock.now();
    if (now < (this.#alertAgainAt.get(upstream) ?? 0)) return;
    this.#alertAgainAt.set(upstream, later(now, MILLISECONDS_PER_MINUTE));
    this.ports.log.error({ upstream }, 'an upstream refuses the gateway’s credentials, and serves no requests until they are corrected');
  }
}
