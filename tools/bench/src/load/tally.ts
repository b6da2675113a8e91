import { Durations } from '../statistics/durations.js';
import type { LoadResult } from './load-messages.js';

/** Adds up how a load goes. */
export class Tally {
  readonly latency = new Durations();
  readonly firstToken = new Durations();
  readonly lateness = new Durations();
  completed = 0;
  events = 0;
  brokenStreams = 0;
  #failed = 0;
  #firstFailure: string | null = null;
  readonly #startedAt = performance.now();

  fail(reason: string): void {
    this.#failed += 1;
    this.#firstFailure ??= reason;
  }

  result(): LoadResult {
    return {
      kind: 'loaded',
      completed: this.completed,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
      milliseconds: performance.now() - this.#startedAt,
      latency: this.latency.summary(),
      firstToken: this.firstToken.summary(),
      lateness: this.lateness.summary(),
      events: this.events,
      brokenStreams: this.brokenStreams,
    };
  }
}
