import type { ServerResponse } from 'node:http';

/** Callbacks for when a reply is left to its client. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Marks a reply for which only sending or refusing remains. The connection then counts as idle, so that slow readers do not occupy the places of
 * others.
 */
export function leaveToClient(res: ServerResponse): void {
  const acts = waiting.get(res) ?? [];
  waiting.delete(res);
  for (const act of acts) act();
}

/** Called once: when the reply is left to its client, complete, or over. */
export function onceLeftToClient(res: ServerResponse, act: () => void): void {
  const others = waiting.get(res);
  if (others !== undefined) {
    others.push(act);
    return;
  }
  waiting.set(res, [act]);
  // Node emits `prefinish` when a reply and those before it on the connection are complete, even if not all bytes are sent.
  const leave = (): void => leaveToClient(res);
  res.on('prefinish', leave).on('close', leave);
}
