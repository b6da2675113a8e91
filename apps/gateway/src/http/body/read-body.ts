import type { IncomingMessage } from 'node:http';
import { type Clock, GatewayError } from '@tollgate/core';
import { payloadTooLarge } from './body-headers.js';
import { BODY_MAXIMUM_BYTES } from './body-limits.js';
import { SlowUpload, UploadPace } from './upload-pace.js';

/** The error of a body that broke off. */
export function cutShort(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** Detaches the memory of a chunk at once; otherwise it counts towards the 64 MiB after which V8 goes through its whole heap. */
function detach({ buffer, byteLength }: Buffer): void {
  // Memory that it shares with others must stay.
  const isItsOwn = byteLength > 0 && byteLength === buffer.byteLength;
  if (isItsOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The chunks as one; they are detached. */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = Buffer.concat(chunks, size);
  for (const chunk of chunks) detach(chunk);
  return whole;
}

/** The bytes of a body: at most the limit in memory, and none that comes too slowly. `onBytes` is told of each chunk. */
export function readBody(req: IncomingMessage, clock: Clock, onBytes: (bytes: number) => void): Promise<Buffer> {
  // A client that left while its key was looked up has said so already, and says nothing more.
  if (req.destroyed) return Promise.reject(cutShort(req.errored));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
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
      size += chunk.length;
      onBytes(chunk.length);
      pace?.brought(chunk.length);
      if (size <= BODY_MAXIMUM_BYTES) chunks.push(chunk);
      else refuse(payloadTooLarge());
    };
    const finish = (): void => {
      stop();
      resolve(joined(chunks, size));
    };
    const leave = (cause?: unknown): void => {
      stop();
      reject(cutShort(cause));
    };
    req.on('data', take).once('end', finish).once('error', leave).once('close', leave);
  });
}
