import type { ServerResponse } from 'node:http';
import type { Clock, GatewayError, GenerationEventBatch, Instant, StreamEncoder } from '@tollgate/core';
import type { HttpExchange } from '../http-exchange.js';
import { flushed, watchToEnd } from './reader-watch.js';
import { beginEvents, sendEvents, sendLastEvents } from './send-events.js';

export interface SseStream {
  readonly exchange: Pick<HttpExchange, 'res' | 'clientLeft' | 'clock' | 'writeHead'>;
  readonly events: AsyncIterator<GenerationEventBatch, undefined>;
  readonly encoder: StreamEncoder;
  readonly keepAliveFrame: string;
  /** Converts a failure to the error that the client receives. */
  readonly errorOf: (failure: unknown) => GatewayError;
  /** Called before the error is sent; also called if the client has disconnected. */
  readonly onFailure: (error: GatewayError) => void;
}

/**
 * Writes a stream of events at the pace of the client, and always closes the generation. A failure becomes an error frame of the format, because
 * the status has been sent.
 */
export async function writeSse(stream: SseStream): Promise<void> {
  const { exchange, events, encoder, keepAliveFrame: frame, errorOf, onFailure } = stream;
  const { res, clock } = exchange;
  beginEvents(exchange);
  let keepAlive: KeepAlive | null = null;
  try {
    // The keep-alive timer starts with the first frame: some clients refuse a stream that begins with a keep-alive.
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

/** Relays batches. Pulls the next one only when the previous one is written, so that at most one is generated for a stalled client. */
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

/** Maximum silence of a stream. */
const KEEP_ALIVE_MILLISECONDS = 10_000;

interface KeepAliveParts {
  readonly res: ServerResponse;
  readonly frame: () => string;
  readonly clock: Clock;
}

/** During silence, writes frames that clients ignore. Uses one timer per stream. */
class KeepAlive {
  #lastWriteAt: Instant;
  #cancel: () => void;

  constructor(private readonly parts: KeepAliveParts) {
    const { clock } = parts;
    this.#lastWriteAt = clock.now();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }

  /** Restarts the period of silence. Called after every other write. */
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
    // A client that has not read earlier frames gains nothing from another one.
    if (res.writableLength === 0) sendEvents(res, frame());
    this.touch();
    this.#cancel = clock.schedule(KEEP_ALIVE_MILLISECONDS, () => this.check());
  }
}
