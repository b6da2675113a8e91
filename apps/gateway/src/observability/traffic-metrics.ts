import { Counter, Histogram } from '@prometheus-io/client';
import {
  type Booked, type BookingObserver, type CandidateFailure, type Clock, type GenerationObserver, type GenerationOutcome, type ImplausibleUsage,
  MILLISECONDS_PER_SECOND, promptTokensOf, TOKEN_COUNTS,
} from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { approximately } from './approximate-amount.js';
import { type AnyMetric, UNREGISTERED } from './metrics.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Bucket bounds for the ratio of estimated to reported size; 1 is exact. */
const RATIOS = [0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 4];
const NOTHING = '';

/** Counts requests and generations at their end, and charges at their booking. Labels are endpoints, codes and catalogue models, never text from clients. */
export class TrafficMetrics implements GenerationObserver, BookingObserver {
  readonly #requests = new Counter({ name: 'tollgate_requests_total', help: 'Answered requests, by error code, ok or client_left, and by serving model.', labelNames: ['endpoint', 'code', 'model'], ...UNREGISTERED });
  readonly #durations = new Histogram({ name: 'tollgate_request_duration_seconds', help: 'From the arrival of a request until all its work has ended.', labelNames: ['endpoint'], buckets: SECONDS, ...UNREGISTERED });
  readonly #generations = new Counter({ name: 'tollgate_generations_total', help: 'Settled generations, by end reason.', labelNames: ['format', 'model', 'delivery', 'end_reason'], ...UNREGISTERED });
  readonly #firstOutput = new Histogram({ name: 'tollgate_time_to_first_output_seconds', help: 'From the arrival of a request until its first output.', labelNames: ['model'], buckets: SECONDS, ...UNREGISTERED });
  readonly #tokens = new Counter({ name: 'tollgate_model_tokens_total', help: 'Settled model tokens, by token class.', labelNames: ['format', 'model', 'class'], ...UNREGISTERED });
  readonly #estimateRatios = new Histogram({ name: 'tollgate_prompt_estimate_ratio', help: 'Estimated divided by reported prompt tokens.', labelNames: ['model'], buckets: RATIOS, ...UNREGISTERED });
  readonly #charged = new Counter({ name: 'tollgate_charged_service_tokens_total', help: 'Service tokens that settlements of this gateway charged, sweeps and late ones among them.', labelNames: ['format', 'model'], ...UNREGISTERED });
  readonly #writtenOff = new Counter({ name: 'tollgate_written_off_service_tokens_total', help: 'Service tokens that settlements of this gateway wrote off.', labelNames: ['format', 'model'], ...UNREGISTERED });
  readonly #candidateFailures = new Counter({ name: 'tollgate_candidate_failures_total', help: 'Upstreams that did not serve a request.', labelNames: ['model', 'upstream'], ...UNREGISTERED });
  readonly #implausible = new Counter({ name: 'tollgate_usage_disbelieved_total', help: 'Implausible usage reports, which were not charged.', labelNames: ['model', 'upstream'], ...UNREGISTERED });
  readonly #settlementFailures = new Counter({ name: 'tollgate_settlement_failures_total', help: 'Endings that neither the database nor the outbox accepted; they cost nothing.', ...UNREGISTERED });
  readonly #releaseFailures = new Counter({ name: 'tollgate_release_failures_total', help: 'Slots that the limiter failed to release; they end with their leases.', ...UNREGISTERED });

  readonly #notStored = new Counter({ name: 'tollgate_responses_not_stored_total', help: 'Responses that could not be written to the store of responses.', ...UNREGISTERED });

  constructor(private readonly clock: Clock) {}

  get metrics(): readonly AnyMetric[] {
    return [
      this.#requests, this.#durations, this.#generations, this.#firstOutput, this.#tokens, this.#estimateRatios, this.#charged, this.#writtenOff,
      this.#candidateFailures, this.#implausible, this.#settlementFailures, this.#releaseFailures, this.#notStored,
    ];
  }

  requestDone(exchange: HttpExchange): void {
    const { endpoint, refusal, clientLeft, outcome, startedAt } = exchange;
    const place = endpoint ?? 'other';
    this.#requests.inc({ endpoint: place, code: refusal ?? (clientLeft ? 'client_left' : 'ok'), model: outcome?.ending.service?.servedBy ?? NOTHING });
    this.#durations.observe({ endpoint: place }, (this.clock.now() - startedAt) / MILLISECONDS_PER_SECOND);
  }

  generationEnded({ facts, ending, estimatedPromptTokens }: GenerationOutcome): void {
    const [format, model] = [facts.format ?? NOTHING, ending.service?.servedBy ?? NOTHING];
    this.#generations.inc({ format, model, delivery: facts.streamed ? 'stream' : 'whole', end_reason: ending.reason });
    if (ending.service === null) return;
    if (ending.firstOutputAt !== null) this.#firstOutput.observe({ model }, (ending.firstOutputAt - facts.startedAt) / MILLISECONDS_PER_SECOND);
    for (const { name, field } of TOKEN_COUNTS) {
      if (ending.usage[field] > 0) this.#tokens.inc({ format, model, class: name }, ending.usage[field]);
    }
    if (estimatedPromptTokens !== null && ending.usage.source === 'reported') {
      this.#estimateRatios.observe({ model }, estimatedPromptTokens / promptTokensOf(ending.usage));
    }
  }

  booked({ amount, served }: Booked): void {
    if (served === null || served.model === null) return;
    const labels = { format: served.format ?? NOTHING, model: served.model };
    this.#charged.inc(labels, -approximately(amount));
    if (!served.writeOff.isZero()) this.#writtenOff.inc(labels, approximately(served.writeOff));
  }

  candidateFailed({ model, target }: CandidateFailure): void {
    this.#candidateFailures.inc({ model: model.slug, upstream: target.upstreamId });
  }

  usageImplausible({ model, target }: ImplausibleUsage): void {
    this.#implausible.inc({ model: model.slug, upstream: target.upstreamId });
  }

  settlementFailed(): void {
    this.#settlementFailures.inc();
  }

  responseNotStored(): void {
    this.#notStored.inc();
  }

  releaseFailed(): void {
    this.#releaseFailures.inc();
  }
}
