import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { CLIENT_FORMATS } from './support/client-formats.js';

const MAXIMUM = 2_097_152;
const body = (client: (typeof CLIENT_FORMATS)[number], padding = 0): Buffer =>
  Buffer.from(`${client.least}, "model": "small", "${client.outputField}": 5 }${' '.repeat(padding)}`);
/** A low quality, because the default takes seconds for megabytes. */
const quickly = (bytes: Buffer): Buffer => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
/** Pseudo-random hexadecimal digits, which compress to about half. */
const hexadecimal = (bytes: number): string => Array.from({ length: bytes / 8 }, (_, at) => ((at * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')).join('');

/** Bodies that are too large after decoding. All tests share them, because encoding takes long. */
const BOMBS = ([['gzip', gzipSync], ['br', quickly], ['zstd', zstdCompressSync], ['deflate', deflateSync]] as const)
  .map(([encoding, encode]) => ({ encoding, encode, bomb: encode(Buffer.alloc(20_000_000, ' ')), long: encode(Buffer.from(hexadecimal(MAXIMUM + 8))) }));

describe.each(CLIENT_FORMATS.map((client) => [client.name, client] as const))('a body with a content-encoding header, in the %s format,', (_name, client) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ limits: { requestsPerMinute: 1000 } });
  });
  afterAll(() => gateway.close());

  async function send(bytes: Buffer, encoding: string): Promise<{ readonly status: number; readonly accepts: string | null; readonly code: unknown }> {
    const reply = await gateway.fetch(client.path, { method: 'POST', body: new Uint8Array(bytes), headers: { 'content-encoding': encoding } });
    const { error } = await reply.json() as { readonly error?: { readonly code?: unknown; readonly details?: unknown } };
    return { status: reply.status, accepts: reply.headers.get('accept-encoding'), code: error?.code };
  }

  it.each<readonly [encoding: string, encode: (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync], ['x-gzip', gzipSync], ['deflate', deflateSync], ['deflate', deflateRawSync], ['br', brotliCompressSync], ['zstd', zstdCompressSync],
    ['zstd', (bytes) => Buffer.concat([zstdCompressSync(bytes.subarray(0, 20)), zstdCompressSync(bytes.subarray(20))])],
    ['gzip', (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 20)), gzipSync(bytes.subarray(20))])],
    ['GZIP , identity', gzipSync], ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  ])('is read: %s', async (encoding, encode) => {
    expect((await send(encode(body(client)), encoding)).status).toBe(200);
  });

  it('in an unsupported encoding is refused, and the supported ones are named', async () => {
    expect(await send(body(client), 'compress')).toMatchObject({ status: 415, accepts: 'gzip, deflate, br, zstd' });
    expect(await send(body(client), 'gzip, gzip, gzip')).toMatchObject({ status: 415, accepts: 'gzip, deflate, br, zstd' });
  });

  it('of an unsupported media type, or too large, is refused without a list of supported encodings', async () => {
    const reply = await gateway.fetch(client.path, { method: 'POST', body: new Uint8Array(gzipSync(body(client))), headers: { 'content-encoding': 'gzip', 'content-type': 'text/csv' } });
    expect([reply.status, reply.headers.get('accept-encoding')]).toEqual([415, null]);
    expect(await send(gzipSync(Buffer.alloc(20_000_000, ' ')), 'gzip')).toMatchObject({ status: 413, accepts: null });
  });

  it.each([['gzip', gzipSync], ['deflate', deflateSync], ['deflate', deflateRawSync], ['br', brotliCompressSync], ['zstd', zstdCompressSync]] as const)(
    'with trailing bytes is refused: %s', async (encoding, encode) => {
      for (const rest of ['trailing', 'x']) expect((await send(Buffer.concat([encode(body(client)), Buffer.from(rest)]), encoding)).status).toBe(400);
    });

  it.each([[23, 200], [24, 400], [27, 400]])('with a zstd window of 2 to the power of %d bytes is answered with %d', async (bits, status) => {
    const whole = body(client);
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE((whole.length << 3) | 1, 0, 3);
    // The frame has no stated size and one raw block.
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (bits - 10) << 3]), blockHeader, whole]);
    expect((await send(frame, 'zstd')).status).toBe(status);
  });

  it('with too many frames is refused', async () => {
    const frames = Buffer.concat(Array.from(body(client), (byte) => zstdCompressSync(Buffer.from([byte]))));
    expect((await send(frames, 'zstd')).status).toBe(400);
  });

  it.each<readonly [what: string, bytes: (whole: Buffer) => Buffer, encoding: string]>([
    ['that is cut off', (whole) => whole.subarray(0, -5), 'gzip'], ['that is empty', () => Buffer.alloc(0), 'gzip'], ['of another encoding', (whole) => whole, 'br'],
    ['that is not encoded', () => body(client), 'gzip'], ['with bytes after its end', (whole) => Buffer.concat([whole, Buffer.from('trailing')]), 'gzip'],
  ])('%s is refused', async (_what, change, encoding) => {
    expect((await send(change(gzipSync(body(client))), encoding)).status).toBe(400);
  });

  it.each(BOMBS)('is refused if it decodes to more than 2 MiB or 20 times its encoded length: $encoding', async ({ encoding, encode, bomb, long }) => {
    expect((await send(bomb, encoding)).status).toBe(413);
    expect((await send(encode(body(client, 100_000)), encoding)).status).toBe(413);
    expect((await send(long, encoding)).status).toBe(413);
  });
});
