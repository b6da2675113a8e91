import type { ServerResponse } from 'node:http';
import { type Clock, type GatewayError, type GenerationEventBatch, type StreamEncoder, toGatewayError } from '@tollgate/core';
import { flushed, watchToEnd } from './flushed.js';
import { KeepAlive } from './keep-alive.js';
import { beginEvents, sendEvents, sendLastEvents } from './send-events.js';

export interface SseStream {
  readonly res: ServerResponse;
  readonly events: AsyncIterator<GenerationEventBatch, undefined>;
  readonly encoder: StreamEncoder;
  readonly keepAliveFrame: string;
  readonly clock: Clock;
  /** Whether the client has left, as far as the process can know. */
  readonly clientLeft: () => boolean;
  /** Told of a failure that ends the stream; the client has been told in its own format. */
  readonly onFailure: (error: GatewayError) => void;
}

/** Writes every event; pulls the next only when the last has left, so that no more than that one is generated for a client that stops reading. */
async function relay({ res, events, encoder, clock, clientLeft }: SseStream, keepAlive: () => KeepAlive): Promise<void> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true || clientLeft()) return;
    const frames = encoder.encode(value);
    if (frames.text === '') continue;
    keepAlive().touch();
    if (isLast(value)) sendLastEvents(res, frames);
    else if (!sendEvents(res, frames)) await flushed(res, clock);
    if (clientLeft()) return;
  }
}

function isLast(events: GenerationEventBatch): boolean {
  return events[events.length - 1]?.type === 'generation-end';
}

/**
 * Streams a generation to its client at the client's pace, and closes it whatever happens.
 * A failure becomes the format's error frame, since the status has been sent already.
 */
export async function writeSse(stream: SseStream): Promise<void> {
  const { res, events, encoder, keepAliveFrame: frame, clock, onFailure } = stream;
  beginEvents(res);
  let keepAlive: KeepAlive | null = null;
  try {
    // The clock of silence starts with the first frame: some clients refuse a stream that begins with a keep-alive.
    await relay(stream, () => (keepAlive ??= new KeepAlive({ res, frame, clock })));
  } catch (failure) {
    const error = toGatewayError(failure);
    onFailure(error);
    if (!res.closed) sendEvents(res, { text: encoder.encodeError(error), isAscii: false });
  } finally {
    (keepAlive as KeepAlive | null)?.stop();
    res.end();
    watchToEnd(res, clock);
    await events.return?.();
  }
}
