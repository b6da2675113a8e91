import type { IncomingMessage } from 'node:http';
import { type Clock, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { BodyChunks } from './body-chunks.js';
import { BODY_MAXIMUM_BYTES, payloadTooLarge } from './body-limits.js';

/** The error of a body that broke off. */
export function truncatedBody(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** Reads a body into memory, up to the limit and not below the least rate. Calls `onBytes` for each chunk. */
export function readBody(req: IncomingMessage, clock: Clock, onBytes: (bytes: number) => void): Promise<Buffer> {
  // A client that left while its key was looked up has said so already, and says nothing more.
  if (req.destroyed) return Promise.reject(truncatedBody(req.errored));
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks();
    const stop = (): void => {
      pace?.stop();
      req.off('data', take).off('end', finish).off('error', leave).off('close', leave);
    };
    const refuse = (error: GatewayError): void => {
      stop();
      req.pause();
      reject(error);
    };
    // A body that has arrived whole, as small ones do with their headers, cannot be late.
    const pace = req.complete ? null : new UploadPace(clock, () => refuse(new SlowUpload()));
    const take = (chunk: Buffer): void => {
      onBytes(chunk.length);
      pace?.brought(chunk.length);
      if (chunks.size + chunk.length <= BODY_MAXIMUM_BYTES) chunks.add(chunk);
      else refuse(payloadTooLarge());
    };
    const finish = (): void => {
      stop();
      resolve(chunks.joined());
    };
    const leave = (cause?: unknown): void => {
      stop();
      reject(truncatedBody(cause));
    };
    req.on('data', take).once('end', finish).once('error', leave).once('close', leave);
  });
}

/** The least a client uploads, once the time in hand is used up. */
export const LEAST_BYTES_PER_SECOND = 16_384;
/** The time in hand: at the beginning, and never more later on. */
export const TIME_IN_HAND_MILLISECONDS = 5000;

/** A body that came too slowly. It is answered with status 408. */
export class SlowUpload extends GatewayError {
  constructor() {
    super('invalid_request', `The request body arrived too slowly: a client must send at least ${LEAST_BYTES_PER_SECOND} bytes a second.`);
  }
}

/**
 * Cuts off uploads that are too slow. A body has five seconds in hand, uses them up by the clock, and regains a second with each
 * 16 KiB: so it stays above the least rate after its first five seconds, and never stalls for longer than that.
 */
export class UploadPace {
  #cancel: () => void;
  #dueAt: Instant;

  constructor(private readonly clock: Clock, private readonly onTooSlow: () => void) {
    this.#dueAt = later(clock.now(), TIME_IN_HAND_MILLISECONDS);
    this.#cancel = clock.schedule(TIME_IN_HAND_MILLISECONDS, () => this.check());
  }

  brought(bytes: number): void {
    // In fractions: a chunk of 16 bytes regains less than a millisecond.
    const regained = later(this.#dueAt, (bytes * MILLISECONDS_PER_SECOND) / LEAST_BYTES_PER_SECOND);
    const latest = later(this.clock.now(), TIME_IN_HAND_MILLISECONDS);
    this.#dueAt = regained < latest ? regained : latest;
  }

  stop(): void {
    this.#cancel();
  }

  private check(): void {
    const left = this.#dueAt - this.clock.now();
    if (left <= 0) this.onTooSlow();
    else this.#cancel = this.clock.schedule(left, () => this.check());
  }
}
