import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@tollgate/core';
import type { Exchange } from '../exchange.js';
import { checkBodyHeaders, payloadTooLarge } from './body-headers.js';
import { BODY_MAXIMUM_BYTES } from './body-limits.js';
import { parseJsonBody } from './parse-json-body.js';
import { Turns } from './turns.js';

/** What takes milliseconds to parse, and as long again to be understood. */
const LARGE_BODY_BYTES = 131_072;

const turnsOfLargeBodies = new Turns();

function cutShort(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** The bytes of a body, never more than the limit in memory. */
function readBytes(req: IncomingMessage): Promise<Buffer> {
  // A client that left while its key was looked up has said so already, and says nothing more.
  if (req.destroyed) return Promise.reject(cutShort(req.errored));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      req.off('data', take).off('end', finish).off('error', leave).off('close', leave);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= BODY_MAXIMUM_BYTES) {
        chunks.push(chunk);
        return;
      }
      stop();
      req.pause();
      reject(payloadTooLarge());
    };
    const finish = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const leave = (cause?: unknown): void => {
      stop();
      reject(cutShort(cause));
    };
    req.on('data', take).once('end', finish).once('error', leave).once('close', leave);
  });
}

/** Reads a request's body, as it was sent. Asks a client that waits for leave to send it only now. */
export function readBody({ req, res }: Exchange): Promise<Buffer> {
  checkBodyHeaders(req.headers);
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return readBytes(req);
}

/** A large body is parsed in a turn of the event loop of its own, and whoever asked for it goes on in another. */
async function parseLargeBody(bytes: Buffer): Promise<unknown> {
  await turnsOfLargeBodies.take();
  const value = parseJsonBody(bytes);
  await turnsOfLargeBodies.take();
  return value;
}

/** The JSON value a body holds; a promise of it where that takes long. Throws and rejects like `parseJsonBody`. */
export function parseBody(bytes: Buffer): unknown {
  return bytes.length < LARGE_BODY_BYTES ? parseJsonBody(bytes) : parseLargeBody(bytes);
}

/** Reads, checks and parses a request's body. */
export async function readJsonBody(exchange: Exchange): Promise<unknown> {
  return parseBody(await readBody(exchange));
}
