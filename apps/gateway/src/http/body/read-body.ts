import type { IncomingMessage } from 'node:http';
import { type Clock, GatewayError } from '@tollgate/core';
import { BodyChunks } from './body-chunks.js';
import { payloadTooLarge } from './body-headers.js';
import { BODY_MAXIMUM_BYTES } from './body-limits.js';
import { SlowUpload, UploadPace } from './upload-pace.js';

/** The error of a body that broke off. */
export function cutShort(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** The bytes of a body: at most the limit in memory, and none that comes too slowly. `onBytes` is told of each chunk. */
export function readBody(req: IncomingMessage, clock: Clock, onBytes: (bytes: number) => void): Promise<Buffer> {
  // A client that left while its key was looked up has said so already, and says nothing more.
  if (req.destroyed) return Promise.reject(cutShort(req.errored));
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
      reject(cutShort(cause));
    };
    req.on('data', take).once('end', finish).once('error', leave).once('close', leave);
  });
}
