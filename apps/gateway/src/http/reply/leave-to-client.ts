import type { ServerResponse } from 'node:http';

/** What is yet to be done once a reply is left to its client. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Says that the gateway does nothing more for a request than send what its client has yet to take, or refuse it. Its connection counts as idle
 * from here on: others would else be refused for one that holds its place by reading slowly.
 */
export function leaveToClient(res: ServerResponse): void {
  const acts = waiting.get(res) ?? [];
  waiting.delete(res);
  for (const act of acts) act();
}

/** Calls `act` once: when a reply is left to its client, is complete, or is over. */
export function onceLeftToClient(res: ServerResponse, act: () => void): void {
  const others = waiting.get(res);
  if (others !== undefined) {
    others.push(act);
    return;
  }
  waiting.set(res, [act]);
  // Node emits `prefinish` when a reply is complete, and those before it on the connection, however much of it waits to be taken.
  const leave = (): void => leaveToClient(res);
  res.on('prefinish', leave).on('close', leave);
}
