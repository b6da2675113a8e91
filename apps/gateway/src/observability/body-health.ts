import { type Clock, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Logger } from 'pino';
import type { BodyReport } from '../http/body-budget.js';

/** Counts refused and cut bodies. Logs a lack of room at most once a minute. */
export class BodyHealth implements BodyReport {
  readonly #refused = { account: 0, gateway: 0 };
  #cut = 0;
  #logged: { readonly refused: number; readonly cut: number; readonly at: Instant } | null = null;

  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  /** Number of refused bodies by the budget that was full. */
  get refusals(): Readonly<Record<'account' | 'gateway', number>> {
    return this.#refused;
  }

  get cutUploads(): number {
    return this.#cut;
  }

  refusedBody(bound: 'account' | 'gateway'): void {
    this.#refused[bound] += 1;
    if (bound === 'gateway') this.#logOnceAMinute();
  }

  cutUpload(): void {
    this.#cut += 1;
    this.#logOnceAMinute();
  }

  #logOnceAMinute(): void {
    const now = this.clock.now();
    if (this.#logged !== null && now - this.#logged.at < MILLISECONDS_PER_MINUTE) return;
    const [refused, cut] = [this.#refused.gateway, this.#cut];
    this.log.warn({ refused: refused - (this.#logged?.refused ?? 0), cutOff: cut - (this.#logged?.cut ?? 0) }, 'BODY_BYTES_IN_FLIGHT is reached; slow uploads are cut off, and requests that still find no room are refused');
    this.#logged = { refused, cut, at: now };
  }
}
