import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type JsonPiece, JsonPieces } from '@tollgate/json-text';
import { LargeBody, requestBody, type Transport, utf8Bytes } from './request-body.js';

/** undici's high-water mark for an encrypted connection. */
const ENCRYPTED_HIGH_WATER_BYTES = 16 * 1024;
/** Size of the smallest body that is a `LargeBody`. */
const LARGE = 32 * 1024;

/** Asserts that the body is a `LargeBody`, and collects its bytes. */
function large(text: string, transport: Transport): LargeBody {
  const body = requestBody(new JsonPieces([text]), transport);
  if (body instanceof LargeBody) return body;
  throw new Error(`not a large body: ${text.length} characters`);
}

describe('requestBody', () => {
  it.each([
    ['short', 'word ', false], ['all but large', 'x'.repeat(LARGE - 1), false], ['large', 'x'.repeat(LARGE), true],
    ['large only in bytes', '漢'.repeat(LARGE / 3 + 1), true],
  ])('treats a body as large by its number of bytes: %s', (_how, text, isLarge) => {
    const body = requestBody(new JsonPieces([text]), 'plain');
    expect([body instanceof LargeBody, body.byteLength]).toEqual([isLarge, Buffer.byteLength(text)]);
  });

  it.each<[string, Transport, string]>([
    ['ASCII', 'plain', 'word '.repeat(40_000)], ['text beyond ASCII', 'plain', '漢字😀 '.repeat(20_000)], ['text beyond ASCII', 'encrypted', '漢字😀 '.repeat(20_000)],
  ])('yields all bytes of a large body of %s once (connection: %s)', (_which, transport, text) => {
    const body = large(text, transport);
    expect(Buffer.concat([...body]).toString()).toBe(text);
    expect([...body]).toEqual([]);
  });

  it('ends a large body over TLS with a chunk after which the connection needs no drain', async () => {
    const connection = new Writable({ highWaterMark: ENCRYPTED_HIGH_WATER_BYTES, write: (_chunk, _encoding, taken) => { setImmediate(taken); } });
    let sent = false;
    for (const piece of large('x'.repeat(200_000), 'encrypted')) {
      sent = connection.write(piece);
      if (!sent) await new Promise((resolve) => { connection.once('drain', resolve); });
    }
    expect(sent).toBe(true);
  });
});

const ASCII = 'a\n"';
const LONG = 'a'.repeat(100_000);
const MIXED = '漢字 é🙂';

describe('the encoding of a text in UTF-8', () => {
  it.each([
    ['nothing', ''], ['ASCII', ASCII], ['long ASCII', LONG], ['one accent at the end', `${'a'.repeat(10_000)}é`],
    ['one accent at the beginning', `é${'a'.repeat(10_000)}`], ['ideographs', '漢字'.repeat(5_000)], ['an emoji', '🙂'], ['half an emoji', '\ud83d'],
  ])('is the same as Node’s for %s', (_what, text) => {
    expect(Buffer.from(utf8Bytes([text]))).toEqual(Buffer.from(text));
  });

  it.each<[string, readonly JsonPiece[]]>([
    ['no pieces', []], ['bytes alone', [Buffer.from(MIXED)]], ['ASCII around bytes', [ASCII, Buffer.from(LONG), ASCII]],
    ['ASCII around bytes of other text', [ASCII, Buffer.from(MIXED), LONG]], ['other text before bytes', [MIXED, Buffer.from(LONG)]],
    ['other text after bytes', [Buffer.from(LONG), MIXED]], ['other text between ASCII', [LONG, MIXED, LONG]], ['bytes after bytes', [Buffer.from(ASCII), Buffer.from(MIXED)]],
  ])('is the same as Node’s for %s', (_what, pieces) => {
    expect(Buffer.from(utf8Bytes(pieces))).toEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  });
});
