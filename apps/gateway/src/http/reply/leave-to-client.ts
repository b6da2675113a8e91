import type { ServerResponse } from 'node:http';

const LEFT_TO_CLIENT = Symbol('left to its client');

/**
 * Marks a reply that only remains to be sent, perhaps after a delay. The connection then counts as idle, so that slow readers do not occupy the
 * places of other clients.
 */
export function leaveToClient(res: ServerResponse): void {
  if (res.emit(LEFT_TO_CLIENT)) res.removeAllListeners(LEFT_TO_CLIENT);
}

/** Calls `act` once, at the first of these: `leaveToClient` is called, the reply is complete, or its connection is closed. */
export function onceLeftToClient(res: ServerResponse, act: () => void): void {
  if (res.listenerCount(LEFT_TO_CLIENT) === 0) {
    // Node emits `prefinish` when a reply and those before it on the connection are complete, even if not all bytes are sent.
    const leave = (): void => leaveToClient(res);
    res.on('prefinish', leave).on('close', leave);
  }
  res.on(LEFT_TO_CLIENT, act);
}
