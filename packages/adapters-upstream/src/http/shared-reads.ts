import type { OnReadOpts, Socket } from 'node:net';

/** As much as one read brings at most, which is what Node would make room for at every read. */
const READ_BYTES = 64 * 1024;

/** All sockets read into the same bytes: between a read and the call with what it brought nothing else is read. */
const arrived = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Options of a connection whose reads need no memory of their own. What a read brings is copied and then travels through the socket
 * as always. Most reads bring one small event: making room for it costs more than copying it, and so does giving the room back.
 */
export const SHARED_READS: OnReadOpts = {
  buffer: arrived,
  /** Called as a method of its socket; whether that has room for more. A socket that has none is read on when its reader asks. */
  callback(this: Socket, length: number): boolean {
    const bytes = Buffer.allocUnsafe(length);
    arrived.copy(bytes, 0, 0, length);
    return this.push(bytes);
  },
};
