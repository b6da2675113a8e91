import type { Socket } from 'node:net';
import type { Clock } from '@tollgate/core';

/**
 * A refused sign-in is expensive, and in a distributed flood no single client has much unbilled work. Therefore refusals of sign-ins wait for four to
 * eight times the delay: one to two seconds.
 */
const MIN_DELAYS_IN_TURN = 4;
/** Number of different waits that consecutive refusals take in turn, so that the refusals of a flood do not leave together. */
const TURNS = 20;
/** Limits a refused client to four requests a second per connection. */
export const REFUSAL_DELAY_MILLISECONDS = 250;

/** Delays refusals of clients with much unbilled work, at little cost. */
export class RefusalDelay {
  readonly #waiting = new WeakSet<Socket>();
  #turn = 0;

  /** `milliseconds` is the delay; 0 disables delays. */
  constructor(private readonly clock: Clock, private readonly milliseconds: number) {}

  /** Resolves after four to eight times the delay; consecutive calls wait for different times. */
  waitInTurn(socket: Socket): Promise<void> {
    const delays = MIN_DELAYS_IN_TURN * (1 + this.#turn / TURNS);
    this.#turn = (this.#turn + 1) % TURNS;
    return this.wait(socket, delays);
  }

  wait(socket: Socket, delays = 1): Promise<void> {
    if (this.milliseconds === 0) return Promise.resolve();
    this.#waiting.add(socket);
    return new Promise((resolve) => {
      this.clock.schedule(this.milliseconds * delays, () => {
        this.#waiting.delete(socket);
        resolve();
      });
    });
  }

  /** True while a refusal on the connection is delayed. A further request is then pipelined, and would evade the delay. */
  isWaitingOn(socket: Socket): boolean {
    return this.#waiting.has(socket);
  }
}
