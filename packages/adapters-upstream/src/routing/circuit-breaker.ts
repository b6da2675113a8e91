import { type Clock, type Instant, later, secondsUntil } from '@tollgate/core';
import type { UpstreamFailure, UpstreamFailureReason } from '../upstream-failure.js';

/** Hears how the calls to one upstream go. */
export interface UpstreamHealth {
  /** First output arrived. */
  answered(): void;
  /** A reply was read to its end. */
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
}

export interface BreakerSettings {
  /** So many failures in a row open the circuit. */
  readonly failuresToOpen: number;
  /** So long no call passes; then one may try, and another one each time this passes again. */
  readonly openMilliseconds: number;
}

export const DEFAULT_BREAKER_SETTINGS: BreakerSettings = { failuresToOpen: 5, openMilliseconds: 10_000 };

/** Failures that say something about the server rather than about one call, one model or one key. */
const FAILING: ReadonlySet<UpstreamFailureReason> = new Set(['connect-failed', 'timed-out', 'cut-off', 'malformed-reply', 'server-error', 'bad-credentials']);
/** The server works: it is the request that it does not like. */
const WORKING: ReadonlySet<UpstreamFailureReason> = new Set(['refused', 'context-too-long']);

/** Keeps calls away from an upstream that keeps failing, so that a fallback serves without waiting for it. */
export class CircuitBreaker implements UpstreamHealth {
  #failures = 0;
  #openUntil: Instant | null = null;

  constructor(private readonly clock: Clock, private readonly settings: BreakerSettings = DEFAULT_BREAKER_SETTINGS) {}

  get state(): 'closed' | 'open' {
    return this.#openUntil === null ? 'closed' : 'open';
  }

  /** Whether a call may be made now. When the circuit is open, asking takes the one try there is. */
  permits(): boolean {
    if (this.#openUntil === null) return true;
    if (this.clock.now() < this.#openUntil) return false;
    this.#open();
    return true;
  }

  /** How long no call may pass, as far as is known now. */
  restSeconds(): number {
    return this.#openUntil === null ? 0 : secondsUntil(this.#openUntil, this.clock.now());
  }

  /** Closes an open circuit on probation: the next failure opens it again. */
  answered(): void {
    if (this.#openUntil === null) return;
    this.#openUntil = null;
    this.#failures = this.settings.failuresToOpen - 1;
  }

  succeeded(): void {
    this.#openUntil = null;
    this.#failures = 0;
  }

  failed({ reason }: UpstreamFailure): void {
    if (WORKING.has(reason)) this.succeeded();
    if (!FAILING.has(reason)) return;
    this.#failures += 1;
    if (this.#failures >= this.settings.failuresToOpen) this.#open();
  }

  #open(): void {
    this.#openUntil = later(this.clock.now(), this.settings.openMilliseconds);
  }
}
