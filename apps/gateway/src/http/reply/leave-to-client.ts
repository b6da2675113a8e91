import type { ServerResponse } from 'node:http';

const LEFT_TO_CLIENT = Symbol('left to its client');

/**
 * Says that the gateway does nothing more for a request than send what its client has yet to take, or refuse it. Its connection counts as idle
 * from here on: others would else be refused for one that holds its place by reading slowly.
 */
export function leaveToClient(res: ServerResponse): void {
  res.emit(LEFT_TO_CLIENT);
}

/** Calls `act` once: when a reply is left to its client, is complete, or is over. */
export function onceLeftToClient(res: ServerResponse, act: () => void): void {
  let isLeft = false;
  // Node emits `prefinish` when a reply is complete, and those before it on the connection, however much of it waits to be taken.
  for (const event of [LEFT_TO_CLIENT, 'prefinish', 'close']) {
    res.once(event, () => {
      if (!isLeft) act();
      isLeft = true;
    });
  }
}
