import type { IncomingMessage } from 'node:http';
import { type Clock, GatewayError } from '@tollgate/core';
import { BodyChunks } from './body-chunks.js';
import { payloadTooLarge } from './body-headers.js';
import { MAX_BODY_BYTES } from './body-room.js';
import type { BodyUpload } from './body-upload.js';
import { SlowUpload, UploadPace } from './upload-pace.js';

interface BodyReading {
  readonly clock: Clock;
  readonly maximumBytes?: number;
  /** Takes room for the received bytes. */
  readonly upload: BodyUpload;
  /** Called for each chunk. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads a body within the size limit and above the minimum rate; pauses while it waits for room. Rejects with errors of the body or its room, and
 * with `CutUpload`.
 */
export function readBody(req: IncomingMessage, reading: BodyReading): Promise<Buffer> {
  // A client that disconnected during the look-up of its key emits no further event.
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
  #waiting: Promise<void> | null = null;

  constructor(private readonly req: IncomingMessage, private readonly reading: BodyReading, private readonly outcome: BodyOutcome) {
    this.#pace = new UploadPace(reading.clock, () => this.#refuse(new SlowUpload()));
  }

  start(): void {
    this.reading.upload.watch(this.#refuse);
    this.req.on('data', this.#take).on('end', this.#finish).on('close', this.#leave);
  }

  #stop(): void {
    this.#waiting = null;
    this.#pace.stop();
    this.req.off('data', this.#take).off('end', this.#finish).off('close', this.#leave);
  }

  readonly #refuse = (cause: unknown): void => {
    this.#stop();
    this.req.pause();
    this.outcome.reject(cause);
  };

  readonly #take = (chunk: Buffer): void => {
    this.reading.onBytes(chunk.length);
    this.#pace.brought(chunk.length);
    const { maximumBytes = MAX_BODY_BYTES } = this.reading;
    if (this.#chunks.size + chunk.length > maximumBytes) {
      this.#refuse(payloadTooLarge(maximumBytes));
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
      // The reading ended before it got room.
      if (this.#waiting !== room) return;
      this.#waiting = null;
      this.#pace.goOn();
      this.req.resume();
    }).catch(this.#refuse);
  }

  readonly #finish = (): void => {
    if (this.#waiting !== null) {
      // The last chunk waits for its room; a refusal of the room rejects the body.
      this.#waiting.then(this.#finish, () => undefined);
      return;
    }
    this.#stop();
    this.reading.upload.finish();
    this.outcome.resolve(this.#chunks.joined());
  };

  readonly #leave = (): void => {
    this.#stop();
    this.outcome.reject(truncatedBody(this.req.errored));
  };
}

export function truncatedBody(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body is incomplete: the connection closed before its end.', { cause });
}
