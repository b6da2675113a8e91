import type { Socket } from 'node:net';
import type { Clock } from '@tollgate/core';

/** Limits a refused client to four requests a second per connection. */
export const REFUSAL_DELAY_MILLISECONDS = 250;
/** Multiple of the delay in a flood: of sign-ins, where no single client may have much unbilled work, or of a client whose unbilled work is used up. */
const FLOOD_DELAYS = 4;
/** Number of different waits that consecutive refusals take in turn. With equal waits, all refusals of a flood would be sent in one turn of the event loop. */
const TURNS = 20;

/** Delays refusals of clients with much unbilled work, at little cost. Consecutive refusals wait for different times, from the delay to twice the delay. */
export class RefusalDelay {
  readonly #waiting = new WeakSet<Socket>();
  #turn = 0;

  /** `milliseconds` is the delay; 0 disables delays. */
  constructor(private readonly clock: Clock, private readonly milliseconds: number) {}

  /** Resolves after 250 to 500 ms. */
  wait(socket: Socket): Promise<void> {
    return this.waitInTurn(socket, this.milliseconds);
  }

  /** Resolves after one to two seconds. */
  waitInFlood(socket: Socket): Promise<void> {
    return this.waitInTurn(socket, FLOOD_DELAYS * this.milliseconds);
  }

  private waitInTurn(socket: Socket, milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    const share = 1 + this.#turn / TURNS;
    this.#turn = (this.#turn + 1) % TURNS;
    this.#waiting.add(socket);
    return new Promise((resolve) => {
      this.clock.schedule(milliseconds * share, () => {
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
