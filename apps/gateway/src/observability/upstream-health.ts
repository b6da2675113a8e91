import type { CallFacts, CircuitState, FailedCall, ProbeOutcome, ReplyOddities, UpstreamReport } from '@tollgate/adapters-upstream';
import type { Clock, Instant } from '@tollgate/core';
import { type FirstTokenQuantiles, FirstTokenTimes } from './first-token-times.js';

/** Outcomes of calls to one model at one upstream since the start. */
interface ModelHealth {
  readonly answers: number;
  readonly failures: number;
  readonly lastAnswerAt: Instant | null;
  readonly lastFailure: { readonly reason: string; readonly at: Instant } | null;
  /** First failure after the last answer; `null` if the last call was answered, or there was none. */
  readonly failingSince: Instant | null;
  /** Times to the first token of the last hundred answers; `null` before the first. */
  readonly firstToken: FirstTokenQuantiles | null;
}

/** More models than catalogues contain; beyond this number, the model whose first call is the oldest is forgotten. */
export const MAX_MODELS = 1_000;
const KEPT_ANSWERS = 100;

class Record implements ModelHealth {
  answers = 0;
  failures = 0;
  lastAnswerAt: Instant | null = null;
  lastFailure: ModelHealth['lastFailure'] = null;
  failingSince: Instant | null = null;
  /** Times to the first token, in a ring buffer. */
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
    this.failingSince = null;
  }

  failed(at: Instant, reason: string): void {
    this.failures += 1;
    this.lastFailure = { reason, at };
    this.failingSince ??= at;
  }
}

const NEVER_CALLED: ModelHealth = { answers: 0, failures: 0, lastAnswerAt: null, lastFailure: null, failingSince: null, firstToken: null };

function nameOf(upstreamId: string, upstreamModel: string): string {
  return JSON.stringify([upstreamId, upstreamModel]);
}

/** Keeps outcomes by upstream and model, with a few additions per call. */
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
    this.#recordOf(call.facts).failed(this.clock.now(), call.failure.reason);
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
