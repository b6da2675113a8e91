import type { Clock, Instant } from '@tollgate/core';

/** The end of all patience, and what happens then. */
export interface Deadline {
  readonly milliseconds: number;
  readonly bark: () => void;
}

/**
 * Barks when nothing was heard for a time, and once the deadline has passed whatever was heard. Hearing something, or being
 * given more time, costs one look at the clock: the one timer there is keeps running and is set again for the rest.
 */
export class Watchdog {
  #limitMilliseconds = 0;
  #heardAt: Instant;
  #bark: () => void = () => undefined;
  /** Until the deadline, when the timer was set. Counted by timers, which go on however the clock is set. */
  #leftMilliseconds: number;
  /** What the timer was set to; `null` when none runs. */
  #setTo: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(private readonly clock: Clock, private readonly deadline: Deadline) {
    this.#heardAt = clock.now();
    this.#leftMilliseconds = deadline.milliseconds;
  }

  /** Starts over with another limit. */
  watch(limitMilliseconds: number, bark: () => void): void {
    this.#limitMilliseconds = limitMilliseconds;
    this.#bark = bark;
    this.heard();
    if (this.#setTo !== null && this.#setTo <= limitMilliseconds) return;
    this.stop();
    this.#set(limitMilliseconds);
  }

  heard(): void {
    this.#heardAt = this.clock.now();
  }

  stop(): void {
    this.#cancel();
    this.#setTo = null;
  }

  #set(milliseconds: number): void {
    const setTo = Math.min(milliseconds, this.#leftMilliseconds);
    this.#setTo = setTo;
    this.#cancel = this.clock.schedule(setTo, () => this.#ring(setTo));
  }

  #ring(setTo: number): void {
    this.#setTo = null;
    this.#leftMilliseconds -= setTo;
    const left = this.#heardAt + this.#limitMilliseconds - this.clock.now();
    if (this.#leftMilliseconds <= 0) this.deadline.bark();
    else if (left <= 0) this.#bark();
    else this.#set(left);
  }
}

/** How long each part of a call may take, in milliseconds. */
export interface Timeouts {
  /** Until the connection stands, encryption included. */
  readonly connectMilliseconds: number;
  /** From there until a stream's headers. */
  readonly firstByteMilliseconds: number;
  /** Between two chunks of a reply, during a read. */
  readonly silenceMilliseconds: number;
  /** For everything together. */
  readonly wholeMilliseconds: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMilliseconds: 5_000,
  firstByteMilliseconds: 60_000,
  silenceMilliseconds: 60_000,
  wholeMilliseconds: 15 * 60_000,
};

/** A whole reply's first byte comes after its last token, so it is waited for this many times as long. */
export const WHOLE_REPLY_PATIENCE = 5;
