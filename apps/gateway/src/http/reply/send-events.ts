import type { ServerResponse } from 'node:http';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Asks a proxy in between to pass every event on as it comes.
  'x-accel-buffering': 'no',
};

/** Begins a reply of events. Its headers leave with the first event. */
export function beginEvents(res: ServerResponse): void {
  res.writeHead(200, STREAM_HEADERS);
}

/** Whether the operating system has taken all that was sent; otherwise wait until it is `flushed` before sending more. */
export function sendEvents(res: ServerResponse, frames: string): boolean {
  const { socket } = res;
  // Node writes a chunk in four parts and holds them back for the next turn; corked, they are one write now.
  socket?.cork();
  sendLastEvents(res, frames);
  socket?.uncork();
  return res.writableLength === 0;
}

/** Sends events that nothing but the end of the reply follows: Node holds them back until the end of this turn, so that they leave together. */
export function sendLastEvents(res: ServerResponse, frames: string): void {
  res.write(frames);
}
