import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Clock, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { decodingsOf } from './body-encoding.js';
import { BodyChunks } from './body-chunks.js';
import { BODY_MAXIMUM_BYTES } from './body-room.js';
import type { BodyUpload } from './body-upload.js';

/** Refuses by its headers alone what would not be read to its end: too large, of an unknown encoding, or not JSON. */
export function checkBodyHeaders(headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length'] ?? 0) > BODY_MAXIMUM_BYTES) throw payloadTooLarge();
  decodingsOf(headers['content-encoding']);
  refuseUnreadableType(headers['content-type']);
}

interface BodyReading {
  readonly clock: Clock;
  /** The room of the body, which what arrives takes. */
  readonly upload: BodyUpload;
  /** Called for each chunk. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads a body into memory, up to the limit and not below the least rate. Reads no further while it waits for room.
 * Rejects with what is wrong with the body, what its room is refused with, and `CutUpload` where it is cut off.
 */
export function readBody(req: IncomingMessage, reading: BodyReading): Promise<Buffer> {
  // A client that left while its key was looked up has said so already, and says nothing more.
  if (req.destroyed) return Promise.reject(truncatedBody(req.errored));
  return new Promise((resolve, reject) => {
    new BodyReader(req, reading, { resolve, reject }).start();
  });
}

interface BodyOutcome {
  readonly resolve: (body: Buffer) => void;
  readonly reject: (cause: unknown) => void;
}

class BodyReader {
  readonly #chunks = new BodyChunks();
  readonly #pace: UploadPace;
  /** The room that it waits for. */
  #waiting: Promise<void> | null = null;

  constructor(private readonly req: IncomingMessage, private readonly reading: BodyReading, private readonly outcome: BodyOutcome) {
    this.#pace = new UploadPace(reading.clock, () => this.#refuse(new SlowUpload()));
  }

  start(): void {
    this.reading.upload.watch(this.#refuse);
    this.req.on('data', this.#take).once('end', this.#finish).once('error', this.#leave).once('close', this.#leave);
  }

  #stop(): void {
    this.#waiting = null;
    this.#pace.stop();
    this.req.off('data', this.#take).off('end', this.#finish).off('error', this.#leave).off('close', this.#leave);
  }

  readonly #refuse = (cause: unknown): void => {
    this.#stop();
    this.req.pause();
    this.outcome.reject(cause);
  };

  readonly #take = (chunk: Buffer): void => {
    this.reading.onBytes(chunk.length);
    this.#pace.brought(chunk.length);
    if (this.#chunks.size + chunk.length > BODY_MAXIMUM_BYTES) {
      this.#refuse(payloadTooLarge());
      return;
    }
    this.#chunks.add(chunk);
    try {
      const room = this.reading.upload.arrived(chunk.length);
      if (room !== null) this.#waitFor(room);
    } catch (refusal) {
      this.#refuse(refusal);
    }
  };

  #waitFor(room: Promise<void>): void {
    this.req.pause();
    this.#pace.hold();
    this.#waiting = room;
    room.then(() => {
      // It was over before there was room.
      if (this.#waiting !== room) return;
      this.#waiting = null;
      this.#pace.goOn();
      this.req.resume();
    }).catch(this.#refuse);
  }

  readonly #finish = (): void => {
    if (this.#waiting !== null) {
      // The last chunk waits for its room; what that is refused with is the body's.
      this.#waiting.then(this.#finish, () => undefined);
      return;
    }
    this.#stop();
    this.reading.upload.finish();
    this.outcome.resolve(this.#chunks.joined());
  };

  readonly #leave = (cause?: unknown): void => {
    this.#stop();
    this.outcome.reject(truncatedBody(cause));
  };
}

/** A body framed in any way but the plain two could be read differently by a proxy, so it is not read at all. */
export function refuseUnknownFraming(headers: IncomingHttpHeaders): void {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined || encoding === 'chunked') return;
  throw new GatewayError('invalid_request', 'The only Transfer-Encoding accepted is "chunked".');
}

/** The error of a body that broke off. */
export function truncatedBody(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

const JSON_TYPE_PATTERN = /^(?:application|text)\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/;
const CHARSET_PATTERN = /;\s*charset\s*=\s*"?([^";\s]+)/;
const ACCEPTED_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

function payloadTooLarge(): GatewayError {
  return new GatewayError('payload_too_large', `The request body is larger than ${BODY_MAXIMUM_BYTES} bytes.`);
}

function refuseUnreadableType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const lowered = contentType.toLowerCase();
  const parameters = lowered.indexOf(';');
  const type = (parameters === -1 ? lowered : lowered.slice(0, parameters)).trim();
  if (!JSON_TYPE_PATTERN.test(type)) {
    throw new GatewayError('unsupported_media_type', 'The request body must be JSON: send it with "Content-Type: application/json".');
  }
  const charset = parameters === -1 ? undefined : CHARSET_PATTERN.exec(lowered)?.[1];
  if (charset !== undefined && !ACCEPTED_CHARSETS.has(charset)) {
    throw new GatewayError('unsupported_media_type', 'The request body must be JSON in UTF-8.');
  }
}

/** The minimum rate of an upload, once its allowance is used up. */
export const LEAST_BYTES_PER_SECOND = 16_384;
/** The allowance of an upload: what it starts with, and its maximum. */
const UPLOAD_ALLOWANCE_MILLISECONDS = 5000;

/** A body that came too slowly. It is answered with status 408. */
export class SlowUpload extends GatewayError {
  constructor() {
    super('invalid_request', `The request body arrived too slowly: a client must send at least ${LEAST_BYTES_PER_SECOND} bytes a second.`);
  }
}

/**
 * Cuts off uploads that are too slow. A body starts with an allowance of five seconds, which the clock uses up, and regains a second
 * with each 16 KiB: so it stays above the minimum rate after its first five seconds, and never stalls for longer than that.
 */
export class UploadPace {
  #cancel: () => void;
  #dueAt: Instant;
  /** Milliseconds of the allowance when the time was stopped. */
  #left = 0;

  constructor(private readonly clock: Clock, private readonly onTooSlow: () => void) {
    this.#dueAt = later(clock.now(), UPLOAD_ALLOWANCE_MILLISECONDS);
    this.#cancel = clock.schedule(UPLOAD_ALLOWANCE_MILLISECONDS, () => this.check());
  }

  brought(bytes: number): void {
    // In fractions: a chunk of 16 bytes regains less than a millisecond.
    const regained = later(this.#dueAt, (bytes * MILLISECONDS_PER_SECOND) / LEAST_BYTES_PER_SECOND);
    const latest = later(this.clock.now(), UPLOAD_ALLOWANCE_MILLISECONDS);
    this.#dueAt = regained < latest ? regained : latest;
  }

  /** Time stands still until `goOn`: it is not the client who waits. */
  hold(): void {
    this.#cancel();
    this.#left = this.#dueAt - this.clock.now();
  }

  goOn(): void {
    this.#dueAt = later(this.clock.now(), this.#left);
    this.#cancel = this.clock.schedule(this.#left, () => this.check());
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

/** Bytes a second of refused bodies that the process reads to keep their connections. */
export const DISCARDED_BYTES_PER_SECOND = 16 * 1_048_576;
/** As many are read without a pause: a few of the largest bodies. */
export const DISCARDED_BYTES_AT_ONCE = 8 * 1_048_576;

/** Reads what clients still send of bodies that are refused, all together at a bounded pace, and drops it. */
export class DiscardPace {
  /** When all that was read would have been read at the pace, in milliseconds of the clock. */
  #paidUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Takes over the reading of a body. Its connection takes the next request once the body has ended. */
  discard(req: IncomingMessage): void {
    if (req.complete || req.destroyed) return;
    let pausing = false;
    req.on('data', (chunk: Buffer) => {
      const pause = this.#pauseAfter(chunk.length);
      if (pause === 0 || pausing) return;
      pausing = true;
      // A body that is paused before Node's buffer is empty counts as never read, and Node reads such a body without a pause once the reply is complete.
      process.nextTick(() => req.pause());
      this.clock.schedule(pause, () => {
        pausing = false;
        req.resume();
      });
    });
    req.resume();
  }

  /** Milliseconds to wait after so many bytes. */
  #pauseAfter(bytes: number): number {
    const now = this.clock.now();
    this.#paidUntil = Math.max(now, this.#paidUntil) + (bytes * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    const atOnce = (DISCARDED_BYTES_AT_ONCE * MILLISECONDS_PER_SECOND) / DISCARDED_BYTES_PER_SECOND;
    return Math.max(0, Math.ceil(this.#paidUntil - now - atOnce));
  }
}
