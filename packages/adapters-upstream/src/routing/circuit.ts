import { type Clock, type Instant, later, secondsUntil } from '@tollgate/core';
import type { CallFacts } from '../http/content-free-call.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { CallHealth } from '../reply/call-health.js';
import { type Bucket, CircuitWindow, type FailureWeight, isSilent, type Tally, weightOf } from './circuit-window.js';

export type CircuitState = 'closed' | 'open';

/**
 * Result of the gateway's own call. `answered`: also after a failure without weight, such as a refusal. `given-up`: no result, because the upstream
 * was removed or has no free connection, or the process has no socket left.
 */
export type ProbeOutcome = 'answered' | 'failed' | 'given-up';

interface CircuitPorts {
  readonly clock: Clock;
  /** Calls the model with a request that contains no client's content. Never rejects. */
  probe(facts: CallFacts): Promise<ProbeOutcome>;
  /** Called when the circuit opens or closes. */
  changed(facts: CallFacts, state: CircuitState): void;
}

const MIN_CALLS = 5;
const MIN_ACCOUNTS = 2;
const OPEN_MILLISECONDS = 10_000;

/**
 * Circuit breaker of one model at an upstream, so that fallbacks serve at once. Opens if at least half of at least five calls within 30 seconds
 * failed; after 10 seconds, one call is a trial. Failures that a request can cause count once per account and need two accounts, so that no account
 * makes a model unavailable to others. If only one account calls, the gateway's own call decides about such failures.
 */
export class Circuit {
  readonly #window: CircuitWindow;
  #openUntil: Instant | null = null;
  /** Earliest time at which the gateway may make its next own call. */
  #verifyAgainAt: Instant | null = null;
  #isVerifying = false;
  /** The running trial, until its first output or failure. */
  #trying: TryingCall | null = null;

  constructor(private readonly ports: CircuitPorts) {
    this.#window = new CircuitWindow(ports.clock);
  }

  get state(): CircuitState {
    return this.#openUntil === null ? 'closed' : 'open';
  }

  /** True if the circuit is closed and no call was counted lately, so that it can be dropped. */
  get isIdle(): boolean {
    return this.#openUntil === null && this.#window.isEmpty;
  }

  /** Seconds until an open circuit allows the next trial; 0 if it is closed. */
  get restSeconds(): number {
    return this.#openUntil === null ? 0 : secondsUntil(this.#openUntil, this.ports.clock.now());
  }

  /**
   * Begins a call; `null` if the circuit refuses it. An open circuit allows a trial every ten seconds. If a trial takes longer, the gateway makes a
   * call of its own as well, because slow requests would otherwise keep the circuit open.
   */
  begin(facts: CallFacts): CallHealth | null {
    if (this.#openUntil === null) return new CountedCall(facts, this);
    if (this.ports.clock.now() < this.#openUntil) return null;
    this.#rest();
    if (this.#trying !== null) this.verify(facts);
    this.#trying = new TryingCall(facts, this);
    return this.#trying;
  }

  ended(call: TryingCall): void {
    if (this.#trying === call) this.#trying = null;
  }

  /** Counts a call with output, and returns the bucket that counts it. */
  countAnswer({ accountId }: CallFacts): Bucket {
    const bucket = this.#window.at(accountId);
    bucket.answered += 1;
    return bucket;
  }

  countFailure(facts: CallFacts, weight: FailureWeight): void {
    const bucket = this.#window.at(facts.accountId);
    if (this.#openUntil !== null || weight === 'nothing') return;
    if (weight === 'every-call') {
      bucket.unreachable += 1;
    } else {
      bucket.slow += 1;
      bucket.slowAccounts.add(facts.accountId);
    }
    this.#judge(facts);
  }

  /** Lets the gateway's own call decide: one at a time, at most one every ten seconds. */
  verify(facts: CallFacts): void {
    const { clock } = this.ports;
    if (this.#isVerifying || (this.#verifyAgainAt !== null && clock.now() < this.#verifyAgainAt)) return;
    this.#verifyAgainAt = later(clock.now(), OPEN_MILLISECONDS);
    this.#isVerifying = true;
    void this.ports.probe(facts).then((outcome) => {
      this.#isVerifying = false;
      this.#conclude(facts, outcome);
    });
  }

  open(facts: CallFacts): void {
    const wasClosed = this.#openUntil === null;
    this.#rest();
    if (wasClosed) this.ports.changed(facts, 'open');
  }

  close(facts: CallFacts): void {
    if (this.#openUntil === null) return;
    this.#openUntil = null;
    this.#trying = null;
    this.#window.clear();
    this.ports.changed(facts, 'closed');
  }

  /**
   * Applies the result of the gateway's own call. It opens a closed circuit only if no other account has called meanwhile: the call may take half a
   * minute.
   */
  #conclude(facts: CallFacts, outcome: ProbeOutcome): void {
    if (outcome === 'answered') this.close(facts);
    if (outcome === 'failed' && (this.#openUntil !== null || !this.#window.tally().hasSeveralCallers)) this.open(facts);
  }

  #rest(): void {
    this.#window.clear();
    this.#openUntil = later(this.ports.clock.now(), OPEN_MILLISECONDS);
  }

  #judge(facts: CallFacts): void {
    const tally = this.#window.tally();
    const calls = tally.answered + tally.unreachable + tally.slow;
    if (calls < MIN_CALLS) return;
    if (isUnreachable(tally, calls) || isSlowForSeveral(tally)) this.open(facts);
    else if (!tally.hasSeveralCallers && 2 * (tally.unreachable + tally.slow) >= calls) this.verify(facts);
  }
}

function isUnreachable({ unreachable }: Tally, calls: number): boolean {
  return 2 * unreachable >= calls;
}

/** True if failures that a request can cause, counted once per account, are enough to open the circuit. */
function isSlowForSeveral({ answered, unreachable, slowAccounts }: Tally): boolean {
  return slowAccounts >= MIN_ACCOUNTS && unreachable + slowAccounts >= answered;
}

/** A call through a closed circuit. */
class CountedCall implements CallHealth {
  #answeredIn: Bucket | null = null;

  constructor(private readonly facts: CallFacts, private readonly circuit: Circuit) {}

  answered(): void {
    this.#answeredIn = this.circuit.countAnswer(this.facts);
  }

  /** Counts the failure. A call counts once: if it falls silent after its first output, its success becomes a failure. */
  failed({ reason }: UpstreamFailure): void {
    const weight = weightOf(reason);
    if (this.#answeredIn !== null && weight !== 'nothing') this.#answeredIn.answered -= 1;
    this.circuit.countFailure(this.facts, weight);
  }
}

/** A trial through an open circuit. */
class TryingCall implements CallHealth {
  #hasAnswered = false;

  constructor(private readonly facts: CallFacts, private readonly circuit: Circuit) {}

  answered(): void {
    this.#hasAnswered = true;
    this.circuit.ended(this);
    this.circuit.close(this.facts);
  }

  /**
   * A failure without weight, such as a refusal, counts as an answer. After a failure that the request may have caused, or without a reply of the
   * upstream, the gateway's own call decides: a client that always disconnects would otherwise keep the circuit open.
   */
  failed({ reason }: UpstreamFailure): void {
    if (this.#hasAnswered) return;
    this.circuit.ended(this);
    if (isSilent(reason)) return this.circuit.verify(this.facts);
    switch (weightOf(reason)) {
      case 'every-call': return this.circuit.open(this.facts);
      case 'once-per-account': return this.circuit.verify(this.facts);
      case 'nothing': return this.circuit.close(this.facts);
    }
  }
}

/** Maximum circuits of an upstream. Idle ones, such as those of removed models, are dropped first. */
export const MAX_CIRCUITS = 1_000;

/** The circuits of an upstream, by model name. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  constructor(private readonly ports: CircuitPorts) {}

  of(upstreamModel: string): Circuit {
    const known = this.#circuits.get(upstreamModel);
    if (known !== undefined) return known;
    if (this.#circuits.size >= MAX_CIRCUITS) this.#makeRoom();
    const circuit = new Circuit(this.ports);
    this.#circuits.set(upstreamModel, circuit);
    return circuit;
  }

  states(): readonly (readonly [upstreamModel: string, state: CircuitState])[] {
    return [...this.#circuits].map(([upstreamModel, { state }]) => [upstreamModel, state]);
  }

  /** Drops all idle circuits, or else the oldest one. */
  #makeRoom(): void {
    for (const [upstreamModel, circuit] of this.#circuits) if (circuit.isIdle) this.#circuits.delete(upstreamModel);
    const [oldest] = this.#circuits.keys();
    if (oldest !== undefined && this.#circuits.size >= MAX_CIRCUITS) this.#circuits.delete(oldest);
  }
}
