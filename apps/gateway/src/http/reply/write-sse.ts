import type { ServerResponse } from 'node:http';
import { type Clock, type GatewayError, type GenerationEventBatch, type StreamEncoder, toGatewayError } from '@tollgate/core';
import { drained } from './drained.js';
import { KeepAlive } from './keep-alive.js';

export interface SseStream {
  readonly res: ServerResponse;
  readonly events: AsyncIterator<GenerationEventBatch, undefined>;
  readonly encoder: StreamEncoder;
  readonly keepAliveFrame: string;
  readonly clock: Clock;
  /** Told of a failure that ends the stream; the client has been told in its own format. */
  readonly onFailure: (error: GatewayError) => void;
}

/** Sends a stream's headers, which cannot change from here on. */
function begin(res: ServerResponse): void {
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Asks a proxy in between to pass every event on as it comes.
    'x-accel-buffering': 'no',
  });
}

/** Writes every event; pulls the next only when the client has taken the last. */
async function relay({ res, events, encoder, clock }: SseStream, keepAlive: () => KeepAlive): Promise<void> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true || res.closed) return;
    const frames = encoder.encode(value);
    if (frames === '') continue;
    const taken = res.write(frames);
    keepAlive().touch();
    if (!taken) await drained(res, clock);
  }
}

/**
 * Streams a generation to its client at the client's pace, and closes it whatever happens.
 * A failure becomes the format's error frame, since the status has been sent already.
 */
export async function writeSse(stream: SseStream): Promise<void> {
  const { res, events, encoder, keepAliveFrame, clock, onFailure } = stream;
  let keepAlive: KeepAlive | null = null;
  begin(res);
  try {
    // The clock of silence starts with the first frame: some clients refuse a stream that begins with a keep-alive.
    await relay(stream, () => (keepAlive ??= new KeepAlive(res, keepAliveFrame, clock)));
  } catch (failure) {
    const error = toGatewayError(failure);
    onFailure(error);
    if (!res.closed) res.write(encoder.encodeError(error));
  } finally {
    (keepAlive as KeepAlive | null)?.stop();
    res.end();
    await events.return?.();
  }
}
