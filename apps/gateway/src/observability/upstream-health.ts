import type { CallFacts, CircuitState, CircuitStatus, FailedCall, ProbeOutcome, ReplyOddities, UpstreamReport } from '@tollgate/adapters-upstream';
import { type Clock, type Instant, later, MILLISECONDS_PER_MINUTE, printable, type UpstreamDefinition } from '@tollgate/core';
import type { Logger } from 'pino';
import { Counter, Gauge } from '@prometheus-io/client';
import { type AnyMetric, UNREGISTERED } from './metrics.js';

/** Milliseconds until the first output that half, and 95 in 100, of the requests took at most; within 10 %. */
interface FirstTokenQuantiles {
  readonly p50: number;
  readonly p95: number;
}

/** Each class is a tenth wider than the one before. */
const GROWTH = Math.log(1.1);

/** Times by size, so that a second of many requests takes as little room as one of few, and several can be added up. */
export class FirstTokenTimes {
  readonly #classes = new Map<number, number>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(milliseconds: number): void {
    const size = milliseconds < 1 ? 0 : Math.ceil(Math.log(milliseconds) / GROWTH);
    this.#classes.set(size, (this.#classes.get(size) ?? 0) + 1);
    this.#count += 1;
  }

  /** `null` without any. */
  quantiles(): FirstTokenQuantiles | null {
    if (this.#count === 0) return null;
    const sizes = [...this.#classes].toSorted(([first], [second]) => first - second);
    return { p50: this.#quantile(sizes, 0.5), p95: this.#quantile(sizes, 0.95) };
  }

  #quantile(sizes: readonly (readonly [size: number, count: number])[], share: number): number {
    let rest = Math.ceil(this.#count * share);
    for (const [size, count] of sizes) {
      rest -= count;
      if (rest <= 0) return Math.round(Math.exp(size * GROWTH));
    }
    return 0;
  }
}

/** How one model went at one upstream, since the start of this process. */
interface ModelHealth {
  readonly answers: number;
  readonly failures: number;
  readonly lastAnswerAt: Instant | null;
  readonly lastFailure: { readonly reason: string; readonly at: Instant } | null;
  /** Of the last hundred answers; `null` before the first. */
  readonly firstToken: FirstTokenQuantiles | null;
}

/** More than catalogues have models; beyond that the one that was called first is forgotten. */
export const MAX_MODELS = 1_000;
const KEPT_ANSWERS = 100;

class Record implements ModelHealth {
  answers = 0;
  failures = 0;
  lastAnswerAt: Instant | null = null;
  lastFailure: ModelHealth['lastFailure'] = null;
  /** A ring of the milliseconds until the first output. */
  readonly #milliseconds: number[] = [];

  get firstToken(): FirstTokenQuantiles | null {
    const times = new FirstTokenTimes();
    for (const milliseconds of this.#milliseconds) times.add(milliseconds);
    return times.quantiles();
  }

  answered(at: Instant, milliseconds: number): void {
    this.#milliseconds[this.answers % KEPT_ANSWERS] = milliseconds;
    this.answers += 1;
    this.lastAnswerAt = at;
  }
}

const NEVER_CALLED: ModelHealth = { answers: 0, failures: 0, lastAnswerAt: null, lastFailure: null, firstToken: null };

function nameOf(upstreamId: string, upstreamModel: string): string {
  return JSON.stringify([upstreamId, upstreamModel]);
}

/** Remembers, for each model at each upstream, how the calls of this process went. A few additions for each call. */
export class UpstreamHealth implements UpstreamReport {
  readonly #records = new Map<string, Record>();

  constructor(private readonly clock: Clock, private readonly next: UpstreamReport) {}

  of(upstreamId: string, upstreamModel: string): ModelHealth {
    return this.#records.get(nameOf(upstreamId, upstreamModel)) ?? NEVER_CALLED;
  }

  answered(facts: CallFacts, milliseconds: number): void {
    this.#recordOf(facts).answered(this.clock.now(), milliseconds);
    this.next.answered(facts, milliseconds);
  }

  failed(call: FailedCall): void {
    const record = this.#recordOf(call.facts);
    record.failures += 1;
    record.lastFailure = { reason: call.failure.reason, at: this.clock.now() };
    this.next.failed(call);
  }

  circuitChanged(facts: CallFacts, state: CircuitState): void {
    this.next.circuitChanged(facts, state);
  }

  noticed(facts: CallFacts, oddities: ReplyOddities): void {
    this.next.noticed(facts, oddities);
  }

  probed(facts: CallFacts, outcome: ProbeOutcome): void {
    this.next.probed(facts, outcome);
  }

  #recordOf({ target: { upstreamId, upstreamModel } }: CallFacts): Record {
    const name = nameOf(upstreamId, upstreamModel);
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.#records.keys();
    if (oldest !== undefined && this.#records.size >= MAX_MODELS) this.#records.delete(oldest);
    const record = new Record();
    this.#records.set(name, record);
    return record;
  }
}

/** What is known of upstreams. */
export interface ObservedUpstreams {
  circuits(): readonly CircuitStatus[];
  readonly failures: AnyMetric;
  readonly probes: AnyMetric;
  readonly emptyEvents: AnyMetric;
  readonly health: UpstreamHealth;
  /** The upstreams in force. */
  definitions(): readonly UpstreamDefinition[];
}

type UpstreamFailureCounter = Counter<'upstream' | 'model' | 'reason'>;

export function upstreamFailureCounter(): UpstreamFailureCounter {
  return new Counter({ name: 'tollgate_upstream_failures_total', help: 'Calls that an upstream refused or failed.', labelNames: ['upstream', 'model', 'reason'], ...UNREGISTERED });
}

type UpstreamProbeCounter = Counter<'upstream' | 'model' | 'outcome'>;

export function upstreamProbeCounter(): UpstreamProbeCounter {
  return new Counter({ name: 'tollgate_upstream_probes_total', help: 'Calls of the gateway\'s own that decide whether a circuit breaker opens or closes.', labelNames: ['upstream', 'model', 'outcome'], ...UNREGISTERED });
}

type EmptyEventCounter = Counter<'upstream' | 'model'>;

export function emptyEventCounter(): EmptyEventCounter {
  return new Counter({ name: 'tollgate_upstream_empty_events_total', help: 'Events without any content that were skipped in the replies of an upstream.', labelNames: ['upstream', 'model'], ...UNREGISTERED });
}

/** More words than servers have; beyond that the log says no more of them. */
const MAX_LOGGED_WORDS = 1_000;

export function upstreamMetrics(upstreams: ObservedUpstreams): readonly AnyMetric[] {
  const circuits = new Gauge({
    name: 'tollgate_upstream_circuit_open', help: '1 while the circuit breaker of a model at an upstream is open.', labelNames: ['upstream', 'model'], ...UNREGISTERED,
    collect() {
      this.reset();
      for (const { upstreamId, upstreamModel, state } of upstreams.circuits()) this.set({ upstream: upstreamId, model: upstreamModel }, state === 'open' ? 1 : 0);
    },
  });
  return [circuits, upstreams.failures, upstreams.probes, upstreams.emptyEvents];
}

interface UpstreamLogPorts {
  readonly log: Logger;
  readonly clock: Clock;
}

/** Says of every failure and refusal of an upstream why, in one line, and counts them. */
export class UpstreamLog implements UpstreamReport {
  readonly failures: UpstreamFailureCounter = upstreamFailureCounter();
  readonly probes: UpstreamProbeCounter = upstreamProbeCounter();
  readonly emptyEvents: EmptyEventCounter = emptyEventCounter();
  /** Each unknown word of each model that was logged. */
  readonly #loggedWords = new Set<string>();
  /** When an upstream's credentials are complained of again. */
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
    if (state === 'open') this.ports.log.warn({ upstream, upstreamModel }, 'the circuit breaker of a model at an upstream opened; calls to it are refused for 10 seconds');
    else this.ports.log.info({ upstream, upstreamModel }, 'the circuit breaker of a model at an upstream closed');
  }

  probed({ requestId, model, target: { upstreamId: upstream, upstreamModel } }: CallFacts, outcome: ProbeOutcome): void {
    this.probes.inc({ upstream, model: model.slug, outcome });
    this.ports.log.info({ requestId, upstream, model: model.slug, upstreamModel, outcome }, 'the gateway called a model itself, to decide whether its circuit breaker is open');
  }

  answered(): void {
    // Says nothing worth a line.
  }

  noticed(facts: CallFacts, { emptyEvents, unknownFinishWord }: ReplyOddities): void {
    if (emptyEvents > 0) this.emptyEvents.inc({ upstream: facts.target.upstreamId, model: facts.model.slug }, emptyEvents);
    if (unknownFinishWord !== null) this.#logUnknown(facts, printable(unknownFinishWord));
  }

  #logUnknown({ requestId, model, target: { upstreamId: upstream, upstreamModel } }: CallFacts, finishReason: string): void {
    const name = JSON.stringify([upstream, upstreamModel, finishReason]);
    if (this.#loggedWords.has(name) || this.#loggedWords.size >= MAX_LOGGED_WORDS) return;
    this.#loggedWords.add(name);
    this.ports.log.warn({ requestId, upstream, model: model.slug, upstreamModel, finishReason }, 'an upstream ends replies with an unknown finish reason; they are reported as cut off');
  }

  #alert(upstream: string): void {
    const now = this.ports.clock.now();
    if (now < (this.#alertAgainAt.get(upstream) ?? 0)) return;
    this.#alertAgainAt.set(upstream, later(now, MILLISECONDS_PER_MINUTE));
    this.ports.log.error({ upstream }, 'an upstream refuses the credentials of the gateway; it serves no request until they are corrected');
  }
}
