import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '@tollgate/core';
import type { Exchange } from '../exchange.js';
import { checkBodyHeaders, payloadTooLarge } from './body-headers.js';
import { BODY_MAXIMUM_BYTES } from './body-limits.js';
import { parseJsonBody } from './parse-json-body.js';
import { Turns } from './turns.js';

/** What takes milliseconds to parse, and as long again to be understood. */
const LARGE_BODY_BYTES = 131_072;

/** A request whose body is to be read, and the reply to it. */
export interface BodySource {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const turnsOfLargeBodies = new Turns();

function cutShort(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body ended before its announced end.', { cause });
}

/** Gives the memory of a chunk back at once; otherwise it counts towards the 64 MiB after which V8 goes through its whole heap. */
function giveBack({ buffer, byteLength }: Buffer): void {
  // What it shares with others is not its own to give.
  const isItsOwn = byteLength > 0 && byteLength === buffer.byteLength;
  if (isItsOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The chunks as one; they are used up by it. */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = Buffer.concat(chunks, size);
  for (const chunk of chunks) giveBack(chunk);
  return whole;
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
      resolve(joined(chunks, size));
    };
    const leave = (cause?: unknown): void => {
      stop();
      reject(cutShort(cause));
    };
    req.on('data', take).once('end', finish).once('error', leave).once('close', leave);
  });
}

/** Reads a request's body, as it was sent. Asks a client that waits for leave to send it only now. */
export function readBody({ req, res }: BodySource): Promise<Buffer> {
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
