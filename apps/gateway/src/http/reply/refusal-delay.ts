import type { Socket } from 'node:net';
import type { Clock } from '@tollgate/core';

/** How long a refusal waits: a client that sends on without being served can do so four times a second and connection. */
export const REFUSAL_DELAY_MILLISECONDS = 250;

/** Delays refusals of clients that cause much unbilled work, so that sending on costs them time and the gateway little. */
export class RefusalDelay {
  readonly #waiting = new WeakSet<Socket>();

  /** 0 delays nothing. */
  constructor(private readonly clock: Clock, private readonly milliseconds: number) {}

  /** Resolves when the refusal is due. */
  wait(socket: Socket): Promise<void> {
    if (this.milliseconds === 0) return Promise.resolve();
    this.#waiting.add(socket);
    return new Promise((resolve) => {
      this.clock.schedule(this.milliseconds, () => {
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
