import { type Clock, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Minimum rate once the allowance is used up. */
export const MIN_BYTES_PER_SECOND = 16_384;
/** The allowance at the start, which is also its maximum. */
const UPLOAD_ALLOWANCE_MILLISECONDS = 5000;

/** An upload that was too slow; answered with status 408. */
export class SlowUpload extends GatewayError {
  constructor() {
    super('invalid_request', `The request body arrived too slowly: a client must send at least ${MIN_BYTES_PER_SECOND} bytes a second.`);
  }
}

/**
 * Cuts off slow uploads. A body starts with an allowance of five seconds. Time uses the allowance up, and each 16 KiB increases it by a second. So a
 * body must exceed the minimum rate after five seconds, and must never stall for more than five seconds.
 */
export class UploadPace {
  #cancel: () => void;
  #dueAt: Instant;
  /** Milliseconds of the allowance at the last `hold`. */
  #left = 0;

  constructor(private readonly clock: Clock, private readonly onTooSlow: () => void) {
    this.#dueAt = later(clock.now(), UPLOAD_ALLOWANCE_MILLISECONDS);
    this.#cancel = clock.schedule(UPLOAD_ALLOWANCE_MILLISECONDS, () => this.check());
  }

  brought(bytes: number): void {
    // In fractions, because 16 bytes regain less than a millisecond.
    const regained = later(this.#dueAt, (bytes * MILLISECONDS_PER_SECOND) / MIN_BYTES_PER_SECOND);
    const latest = later(this.clock.now(), UPLOAD_ALLOWANCE_MILLISECONDS);
    this.#dueAt = regained < latest ? regained : latest;
  }

  /** Stops the use of the allowance until `goOn`, because the gateway itself makes the upload wait. */
  hold(): void {
    this.#cancel();
    this.#left = this.#dueAt - this.clock.now();
  }

  goOn(): void {
    this.#dueAt = later(this.clock.now(), this.#left);
    this.#cancel = this.clock.schedule(this.#left, () => this.check());
  }

  stop(): void {
    this.#cancel();
  }

  private check(): void {
    const left = this.#dueAt - this.clock.now();
    if (left <= 0) this.onTooSlow();
    else this.#cancel = this.clock.schedule(left, () => this.check());
  }
}
