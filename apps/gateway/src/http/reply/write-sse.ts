import type { ServerResponse } from 'node:http';
import type { Clock, GatewayError, GenerationEventBatch, Instant, StreamEncoder } from '@tollgate/core';
import type { HttpExchange } from '../http-exchange.js';
import { flushed, watchToEnd } from './reader-watch.js';
import { beginEvents, sendEvents, sendLastEvents } from './send-events.js';

export interface SseStream {
  readonly exchange: Pick<HttpExchange, 'res' | 'clientLeft' | 'clock'>;
  readonly events: AsyncIterator<GenerationEventBatch, undefined>;
  readonly encoder: StreamEncoder;
  readonly keepAliveFrame: string;
  /** What the client reads of a failure. */
  readonly errorOf: (failure: unknown) => GatewayError;
  /** Told of a failure that ends the stream; the client has been told in its own format. */
  readonly onFailure: (error: GatewayError) => void;
}

/**
 * Streams a generation to its client at the client's pace, and closes it whatever happens.
 * A failure becomes the format's error frame, since the status has been sent already.
 */
export async function writeSse(stream: SseStream): Promise<void> {
  const { exchange: { res, clock }, events, encoder, keepAliveFrame: frame, errorOf, onFailure } = stream;
  beginEvents(res);
  let keepAlive: KeepAlive | null = null;
  try {
    // The clock of silence starts with the first frame: some clients refuse a stream that begins with a keep-alive.
    await relay(stream, () => (keepAlive ??= new KeepAlive({ res, frame: () => encoder.keepAlive?.() ?? frame, clock })));
  } catch (failure) {
    const error = errorOf(failure);
    onFailure(error);
    if (!res.closed) sendEvents(res, encoder.encodeError(error));
  } finally {
    (keepAlive as KeepAlive | null)?.stop();
    res.end();
    watchToEnd(res, clock);
    await events.return?.();
  }
}

/** Writes every event; pulls the next only when the last has left, so that no more than that one is generated for a client that stops reading. */
async function relay({ exchange, events, encoder }: SseStream, keepAlive: () => KeepAlive): Promise<void> {
  const { res, clock } = exchange;
  for (;;) {
    const { done, value } = await events.next();
    if (done === true || exchange.clientLeft) return;
    const frames = encoder.encode(value);
    if (frames === '') continue;
    keepAlive().touch();
    if (isLast(value)) sendLastEvents(res, frames);
    else if (!sendEvents(res, frames)) await flushed(res, clock);
    if (exchange.clientLeft) return;
  }
}

function isLast(events: GenerationEventBatch): boolean {
  return events[events.length - 1]?.type === 'generation-end';
}

/** A stream is never silent for longer. */
const KEEP_ALIVE_MILLISECONDS = 10_000;

interface KeepAliveParts {
  readonly res: ServerResponse;
  readonly frame: () => string;
  readonly clock: Clock;
}

/** Fills the silence of a stream with frames that clients ignore. One timer per stream, however many events it has. */
class KeepAlive {
  #lastWriteAt: Instant;
  #cancel: () => void;

  constructor(private readonly parts: KeepAliveParts) {
    const { clock } = parts;
    this.#lastWriteAt = clock.now();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }

  /** Something else was written. */
  touch(): void {
    this.#lastWriteAt = this.parts.clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  private check(): void {
    const { res, frame, clock } = this.parts;
    const silence = clock.now() - this.#lastWriteAt;
    if (silence < KEEP_ALIVE_MILLISECONDS) {
      this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS - silence, () => this.check());
      return;
    }
    // A client that has not taken what it was sent already would get nothing from one more frame.
    if (res.writableLength === 0) sendEvents(res, frame());
    this.touch();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }
}
