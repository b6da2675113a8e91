import { type Clock, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** The least a client uploads, once the time in hand is used up. */
export const LEAST_BYTES_PER_SECOND = 16_384;
/** The time in hand: at the beginning, and never more later on. */
export const TIME_IN_HAND_MILLISECONDS = 5000;

/** A body that came too slowly. It is answered with status 408. */
export class SlowUpload extends GatewayError {
  constructor() {
    super('invalid_request', `The request body arrived too slowly: a client must send at least ${LEAST_BYTES_PER_SECOND} bytes a second.`);
  }
}

/**
 * Cuts off uploads that are too slow. A body has five seconds in hand, uses them up by the clock, and regains a second with each
 * 16 KiB: so it stays above the least rate after its first five seconds, and never stalls for longer than that.
 */
export class UploadPace {
  readonly #cancel: () => void;
  #dueAt: Instant;

  constructor(private readonly clock: Clock, onTooSlow: () => void) {
    this.#dueAt = later(clock.now(), TIME_IN_HAND_MILLISECONDS);
    let cancel = (): void => undefined;
    const check = (): void => {
      const left = this.#dueAt - clock.now();
      if (left <= 0) onTooSlow();
      else cancel = clock.schedule(left, check);
    };
    cancel = clock.schedule(TIME_IN_HAND_MILLISECONDS, check);
    const stop = (): void => cancel();
    this.#cancel = stop;
  }

  brought(bytes: number): void {
    // In fractions: a chunk of 16 bytes regains less than a millisecond.
    const regained = later(this.#dueAt, (bytes * MILLISECONDS_PER_SECOND) / LEAST_BYTES_PER_SECOND);
    const latest = later(this.clock.now(), TIME_IN_HAND_MILLISECONDS);
    this.#dueAt = regained < latest ? regained : latest;
  }

  stop(): void {
    this.#cancel();
  }
}
