import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, type ZlibOptions, zstdDecompress, type ZstdOptions } from 'node:zlib';
import { GatewayError } from '@tollgate/core';
import { MAX_BODY_BYTES } from './body-room.js';

const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';
/** A body that expands by more than this factor is an attack on memory. */
const MAX_EXPANSION = 20;
/** Maximum number of encodings of one body; no client needs more. */
const MAX_ENCODINGS = 2;

/** An encoding that is not supported. The reply lists the supported ones; replies to other errors must not (RFC 9110, section 15.5.16). */
export class UnsupportedEncoding extends GatewayError {
  readonly acceptedEncodings = ACCEPTED_ENCODINGS;

  constructor() {
    super('unsupported_media_type', `The Content-Encoding of a request body must be one of ${ACCEPTED_ENCODINGS}, at most ${MAX_ENCODINGS} of them.`);
  }
}

interface Decoded {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Decodes in the thread pool. Rejects for invalid data, or beyond `maxOutputLength`. */
export type BodyDecoding = (encoded: Buffer, options: Pick<ZlibOptions, 'maxOutputLength' | 'info'> & Pick<ZstdOptions, 'params'>) => Promise<Decoded>;

const ZLIB_METHOD = 8;
const METHOD_BITS = 0x0f;

/** Decodes `deflate`, under which name some clients send raw deflate. */
const inflateEither: BodyDecoding = (encoded, options) => {
  const hasHeader = encoded.length > 1 && ((encoded[0] ?? 0) & METHOD_BITS) === ZLIB_METHOD && encoded.readUInt16BE(0) % 31 === 0;
  return (promisify(hasHeader ? inflate : inflateRaw) as unknown as BodyDecoding)(encoded, options);
};

const gunzipBody = promisify(gunzip) as unknown as BodyDecoding;

/** Maximum by RFC 9659; a decoder allocates what the frame header claims. */
const ZSTD_WINDOW_BITS = 23;
/** Maximum number of frames, because each costs a turn of the thread pool. */
const MAX_FRAMES = 64;

const decodeFrame = promisify(zstdDecompress) as unknown as BodyDecoding;

/** Decodes all frames, because Node decodes only the first. */
const decodeFrames: BodyDecoding = async (encoded, { maxOutputLength = 0, ...options }) => {
  const frames: Buffer[] = [];
  let [read, length] = [0, 0];
  do {
    const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS };
    const { buffer, engine } = await decodeFrame(encoded.subarray(read), { ...options, params, maxOutputLength: Math.max(1, maxOutputLength - length) });
    frames.push(buffer);
    read += engine.bytesWritten;
    length += buffer.length;
  } while (read < encoded.length && length < maxOutputLength && frames.length < MAX_FRAMES);
  return { buffer: Buffer.concat(frames), engine: { bytesWritten: read } };
};

const DECODINGS: ReadonlyMap<string, BodyDecoding> = new Map([
  ['gzip', gunzipBody],
  ['x-gzip', gunzipBody],
  ['deflate', inflateEither],
  ['br', promisify(brotliDecompress) as unknown as BodyDecoding],
  ['zstd', decodeFrames],
]);

const NO_DECODINGS: readonly BodyDecoding[] = [];

/** The decodings of a `Content-Encoding` header, in the order in which they are applied. Throws `UnsupportedEncoding`. */
export function decodingsOf(header: string | undefined): readonly BodyDecoding[] {
  if (header === undefined) return NO_DECODINGS;
  const names = header.toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  const decodings = names.flatMap((name) => DECODINGS.get(name) ?? []);
  if (decodings.length < names.length || names.length > MAX_ENCODINGS) throw new UnsupportedEncoding();
  return decodings.toReversed();
}

export function largestDecoded(encodedBytes: number): number {
  return Math.min(MAX_BODY_BYTES, MAX_EXPANSION * encodedBytes);
}

/** Decodes a body without blocking the event loop. Rejects with `payload_too_large` or `invalid_request`. */
export async function decodeBody(encoded: Buffer, decodings: readonly BodyDecoding[]): Promise<Buffer> {
  const maxOutputLength = largestDecoded(encoded.length);
  let body = encoded;
  for (const decode of decodings) body = await decodeOnce(decode, body, maxOutputLength);
  return body;
}

async function decodeOnce(decode: BodyDecoding, encoded: Buffer, maxOutputLength: number): Promise<Buffer> {
  let decoded: Decoded;
  try {
    decoded = await decode(encoded, { maxOutputLength: Math.max(1, maxOutputLength), info: true });
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new GatewayError('payload_too_large', `The request body decodes to more than ${MAX_BODY_BYTES} bytes, or to more than ${MAX_EXPANSION} times its encoded length.`);
    }
    throw broken(cause);
  }
  if (decoded.engine.bytesWritten !== encoded.length) throw broken(new Error('bytes follow the end of the encoded body'));
  return decoded.buffer;
}

function broken(cause: unknown): GatewayError {
  return new GatewayError('invalid_request', 'The request body does not match its Content-Encoding, is incomplete, or has extra bytes at its end.', { cause });
}
