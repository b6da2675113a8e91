import type { Socket } from 'node:net';
import type { Clock } from '@tollgate/core';

/** A refused sign-in costs more than other refusals, and a flood from many networks makes no client heavy: so it waits for four to eight delays, one to two seconds. */
const MIN_DELAYS_IN_TURN = 4;
/** Refusals that wait one after the other are due at so many times, so that those of a flood do not leave all at once. */
const TURNS = 20;
/** How long a refusal waits: a client that sends on without being served can do so four times a second and connection. */
export const REFUSAL_DELAY_MILLISECONDS = 250;

/** Delays refusals of clients that cause much unbilled work, so that sending on costs them time and the gateway little. */
export class RefusalDelay {
  readonly #waiting = new WeakSet<Socket>();
  #turn = 0;

  /** 0 delays nothing. */
  constructor(private readonly clock: Clock, private readonly milliseconds: number) {}

  /** Resolves when the refusal is due: after four to eight delays, those of refusals that follow each other spread evenly. */
  waitInTurn(socket: Socket): Promise<void> {
    const delays = MIN_DELAYS_IN_TURN * (1 + this.#turn / TURNS);
    this.#turn = (this.#turn + 1) % TURNS;
    return this.wait(socket, delays);
  }

  /** Resolves when the refusal is due: after one delay, or more where they are asked for. */
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

  /** Whether a refusal waits on a connection. A further request on it is pipelined behind the refusal, which would evade the delay. */
  isWaitingOn(socket: Socket): boolean {
    return this.#waiting.has(socket);
  }
}
