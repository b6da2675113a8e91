import { describe, expect, it } from '@jest/globals';
import { hasHeader, textOfBase64 } from './base64-text.js';

const base64 = (bytes: string | readonly number[]) => Buffer.from(bytes as string).toString('base64');

describe('textOfBase64', () => {
  it.each(['', 'plain', 'Zürich – 東京 😀', '\u001b[1mbold\u001b[0m\t\r\n\f\b\u0007'])('reads %j', (text) => {
    expect(textOfBase64(base64(text))).toBe(text);
  });

  it('reads the URL-safe alphabet, white space, and Base64 without padding', () => {
    expect([textOfBase64('_-__'), textOfBase64('YWJj\nZGVm'), textOfBase64('YQ')]).toEqual([null, 'abcdef', 'a']);
    expect(textOfBase64(base64('ÿ??>').replaceAll('+', '-').replaceAll('/', '_'))).toBe('ÿ??>');
  });

  it('drops a byte order mark', () => {
    expect(textOfBase64(base64('\uFEFFa,b'))).toBe('a,b');
  });

  it.each<[string, string | readonly number[]]>([
    ['U+0000', 'a\0b'], ['another control character', 'a\u0001b'], ['a byte that is no UTF-8', [0x61, 0xff]], ['a character that is cut off', [0xe2, 0x82]],
    ['half a character', [0xed, 0xa0, 0x80]], ['a ZIP file', [0x50, 0x4b, 0x03, 0x04]],
  ])('returns null for %s', (_name, bytes) => {
    expect(textOfBase64(base64(bytes))).toBeNull();
  });
});

describe('hasHeader', () => {
  it('finds a header in the first 1,024 bytes only', () => {
    const found = [0, 1, 1019, 1020].map((bytes) => hasHeader(base64(`${' '.repeat(bytes)}%PDF-1.7${'x'.repeat(5000)}`), '%PDF-'));
    expect([...found, hasHeader('', '%PDF-')]).toEqual([true, true, true, false, false]);
  });
});
