import type { Socket } from 'node:net';
import type { Clock } from '@tollgate/core';
import { unacknowledgedBytes } from './unacknowledged-bytes.js';

/** A client that takes less than this in each period does not read. */
const LEAST_BYTES = 1024;
export const READING_PERIOD_MILLISECONDS = 60_000;
/** Most clients take what waits for them sooner, and are never looked at. */
const FIRST_LOOK_MILLISECONDS = 1000;

/** How far a connection has come with what was written to it. */
interface Progress {
  /** Handed to the operating system since the connection was opened. */
  readonly handedOn: number;
  /** What the client has yet to take of that. */
  readonly unacknowledged: number;
}

async function progressOf(socket: Socket): Promise<Progress> {
  return { handedOn: socket.bytesWritten - socket.writableLength, unacknowledged: await unacknowledgedBytes(socket) };
}

/** While something waits, either figure changes only because the client took something. */
function hasTaken(before: Progress, now: Progress): boolean {
  return Math.max(Math.abs(now.handedOn - before.handedOn), Math.abs(now.unacknowledged - before.unacknowledged)) >= LEAST_BYTES;
}

/**
 * Destroys a connection when its client takes less than 1 KiB of what waits for it in a period. What the client took of the operating
 * system's buffer counts too, where the system tells: that buffer holds megabytes, and takes more only once a third of it is free.
 */
export class ReaderWatch {
  #stopped = false;
  #before: Promise<Progress> | null = null;
  #cancelLook: () => void;
  #cancelCheck: () => void;

  constructor(private readonly socket: Socket, private readonly clock: Clock) {
    this.#cancelLook = clock.schedule(FIRST_LOOK_MILLISECONDS, () => {
      this.#before = progressOf(socket);
    });
    this.#cancelCheck = this.checkLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelLook();
    this.#cancelCheck();
  }

  private checkLater(): () => void {
    return this.clock.schedule(READING_PERIOD_MILLISECONDS, () => void this.check());
  }

  private async check(): Promise<void> {
    const now = progressOf(this.socket);
    const taken = hasTaken(await (this.#before ?? now), await now);
    if (this.#stopped) return;
    // Nothing waits while an earlier reply on the same connection has nothing to send.
    if (!taken && this.socket.writableLength > 0) {
      this.socket.destroy();
      return;
    }
    this.#before = now;
    this.#cancelCheck = this.checkLater();
  }
}
