import { type Clock, type Instant, later, secondsUntil } from '@tollgate/core';
import type { CallFacts } from '../http/content-free-call.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { CallHealth } from '../reply/reply-stream.js';
import { type Bucket, CircuitWindow, type FailureWeight, type Tally, weightOf } from './circuit-window.js';

export type CircuitState = 'closed' | 'open';

/** How a call of the gateway's own went; `given-up`: it says nothing, because the upstream is no longer used or has no free connection. */
export type ProbeOutcome = 'answered' | 'failed' | 'given-up';

interface CircuitPorts {
  readonly clock: Clock;
  /** Calls the same model with a content of the gateway's own. Never rejects. */
  probe(facts: CallFacts): Promise<ProbeOutcome>;
  /** Told whenever the circuit opens, or closes again. */
  changed(facts: CallFacts, state: CircuitState): void;
}

const MIN_CALLS = 5;
const MIN_ACCOUNTS = 2;
const OPEN_MILLISECONDS = 10_000;

/**
 * Keeps calls away from an upstream's model that keeps failing, so that a fallback serves at once.
 * Opens when at least half of at least five calls within 30 seconds failed; after 10 seconds one call may try.
 * What a request can cause counts once for each account and takes two accounts: no account can close a model to the others.
 * Where one account alone calls, a call of the gateway's own decides.
 */
export class Circuit {
  readonly #window: CircuitWindow;
  #openUntil: Instant | null = null;
  /** The gateway's own call is made at most once in the time a circuit is open. */
  #verifyAgainAt: Instant | null = null;
  #isVerifying = false;
  /** The call that tries and has neither brought output nor failed. */
  #trying: TryingCall | null = null;

  constructor(private readonly ports: CircuitPorts) {
    this.#window = new CircuitWindow(ports.clock);
  }

  get state(): CircuitState {
    return this.#openUntil === null ? 'closed' : 'open';
  }

  /** Whether it knows nothing that a new one would not. */
  get isIdle(): boolean {
    return this.#openUntil === null && this.#window.isEmpty;
  }

  /** How long no call may pass, as far as is known now. */
  get restSeconds(): number {
    return this.#openUntil === null ? 0 : secondsUntil(this.#openUntil, this.ports.clock.now());
  }

  /**
   * Tells how the call goes from here on; `null` when it may not be made. In an open circuit, one call may try every ten seconds.
   * A try that takes longer decides nothing: the gateway calls by itself then, or slow requests would keep the circuit open for all.
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

  /** Counts a call of a closed circuit, and returns where. */
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

  /** Decides by a call of the gateway's own: one at a time, begun at most every ten seconds. */
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

  /** A closed circuit opens only where still no other account has called: such a call may take half a minute. */
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

/** Half of the calls failed when what a request can cause counts once for each account. */
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

  /** A call counts once: one that fell silent after its first output has failed. */
  failed({ reason }: UpstreamFailure): void {
    const weight = weightOf(reason);
    if (this.#answeredIn !== null && weight !== 'nothing') this.#answeredIn.answered -= 1;
    this.circuit.countFailure(this.facts, weight);
  }
}

/** The call that tries whether an open circuit may close. */
class TryingCall implements CallHealth {
  #hasAnswered = false;

  constructor(private readonly facts: CallFacts, private readonly circuit: Circuit) {}

  answered(): void {
    this.#hasAnswered = true;
    this.circuit.ended(this);
    this.circuit.close(this.facts);
  }

  /**
   * A refusal is an answer. What the request may have caused decides nothing, and neither does a client that left or a call that got no
   * connection: the gateway calls by itself then, or a client that leaves every time would keep the circuit open for all.
   */
  failed({ reason }: UpstreamFailure): void {
    if (this.#hasAnswered) return;
    this.circuit.ended(this);
    if (reason === 'cancelled' || reason === 'no-free-connection') return this.circuit.verify(this.facts);
    switch (weightOf(reason)) {
      case 'every-call': return this.circuit.open(this.facts);
      case 'once-per-account': return this.circuit.verify(this.facts);
      case 'nothing': return this.circuit.close(this.facts);
    }
  }
}

/** More than catalogues have models; those of models that left the catalogue are dropped first. */
export const MAX_CIRCUITS = 1_000;

/** The circuits of one upstream, by the names of its models. */
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

  /** Drops all that know nothing, or else the oldest. */
  #makeRoom(): void {
    for (const [upstreamModel, circuit] of this.#circuits) if (circuit.isIdle) this.#circuits.delete(upstreamModel);
    const [oldest] = this.#circuits.keys();
    if (oldest !== undefined && this.#circuits.size >= MAX_CIRCUITS) this.#circuits.delete(oldest);
  }
}
