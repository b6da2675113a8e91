import type { IncomingMessage } from 'node:http';
import { type Clock, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { BODY_MAXIMUM_BYTES, payloadTooLarge } from './body-limits.js';

/** A chunk is an object of about a hundred bytes besides its own: so many are kept as they came. */
const CHUNKS_KEPT = 16;
/** Shorter ones beyond those are copied together. */
const SHORT_BYTES = 4_096;
const BLOCK_BYTES = 65_536;

/** Detaches the memory of a chunk at once; otherwise it counts towards the 64 MiB after which V8 goes through its whole heap. */
function detach({ buffer, byteLength }: Buffer): void {
  // Memory that it shares with others must stay.
  const isItsOwn = byteLength > 0 && byteLength === buffer.byteLength;
  if (isItsOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The chunks of a body in the order in which they came, in little more memory than their bytes, however short they are. */
export class BodyChunks {
  readonly #chunks: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  #size = 0;

  /** Bytes of all chunks. */
  get size(): number {
    return this.#size;
  }

  /** Buffers that are kept at the moment. */
  get buffers(): number {
    return this.#chunks.length + (this.#used > 0 ? 1 : 0);
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#chunks.length >= CHUNKS_KEPT && chunk.length < SHORT_BYTES) {
      this.#copy(chunk);
      return;
    }
    this.#endCopies();
    this.#chunks.push(chunk);
  }

  /** The chunks as one; they are detached. */
  joined(): Buffer {
    this.#endCopies();
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#chunks, this.#size);
    for (const chunk of this.#chunks) detach(chunk);
    return whole;
  }

  #copy(chunk: Buffer): void {
    if (chunk.length > this.#block.length - this.#used) {
      this.#endCopies();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** What was copied becomes a chunk; the rest of the block takes the next ones. */
  #endCopies(): void {
    if (this.#used === 0) return;
    this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
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
  readonly #cancel: () => void;
  #dueAt: Instant;

  constructor(private readonly clock: Clock, onTooSlow: () => void) {
    this.#dueAt = later(clock.now(), TIME_IN_HAND_MILLISECONDS);
    let cancel = (): void => undefined;
    const check = (): void => {
      const left = this.#dueAt - clock.now();
      if (left <= 0) onTooSlow();
      else cancel = clock.schedule(left, check);
    };
    cancel = clock.schedule(TIME_IN_HAND_MILLISECONDS, check);
    const stop = (): void => cancel();
    this.#cancel = stop;
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
}

/** The error of a body that broke off. */
export function truncatedBody(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** The bytes of a body: at most the limit in memory, and none that comes too slowly. `onBytes` is told of each chunk. */
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
