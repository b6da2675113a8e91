import { describe, expect, it } from '@jest/globals';
import type { JsonPiece } from '@tollgate/json-text';
import { utf8Bytes } from './request-body.js';

const ASCII = 'a\n"';
const LONG = 'a'.repeat(100_000);
const MIXED = '漢字 é🙂';

describe('a text in UTF-8', () => {
  it.each([
    ['nothing', ''], ['ASCII', ASCII], ['long ASCII', LONG], ['one accent at the end', `${'a'.repeat(10_000)}é`],
    ['one accent at the beginning', `é${'a'.repeat(10_000)}`], ['ideographs', '漢字'.repeat(5_000)], ['an emoji', '🙂'], ['half an emoji', '\ud83d'],
  ])('is what Node makes of %s', (_what, text) => {
    expect(Buffer.from(utf8Bytes([text]))).toEqual(Buffer.from(text));
  });

  it.each<[string, readonly JsonPiece[]]>([
    ['no pieces', []], ['bytes alone', [Buffer.from(MIXED)]], ['ASCII around bytes', [ASCII, Buffer.from(LONG), ASCII]],
    ['ASCII around bytes of other text', [ASCII, Buffer.from(MIXED), LONG]], ['other text before bytes that leave it room', [MIXED, Buffer.from(LONG)]],
    ['other text behind bytes', [Buffer.from(LONG), MIXED]], ['other text between ASCII', [LONG, MIXED, LONG]], ['bytes behind bytes', [Buffer.from(ASCII), Buffer.from(MIXED)]],
  ])('is what Node makes of %s', (_what, pieces) => {
    expect(Buffer.from(utf8Bytes(pieces))).toEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  });
});
