import { describe, expect, it } from '@jest/globals';
import { isPlainText } from './plain-text.js';

describe('a plain text', () => {
  it('stands in JSON as what it is, and has as many bytes as characters', () => {
    const plain = Array.from({ length: 0x1_0000 }, (_none, code) => String.fromCharCode(code)).filter(isPlainText);
    expect(plain.map((text) => JSON.stringify(text))).toEqual(plain.map((text) => `"${text}"`));
    expect(Buffer.byteLength(plain.join(''))).toBe(plain.length);
    expect(plain).toHaveLength(0x80 - 0x20 - 2);
  });

  it.each([
    ['nothing', '', true], ['a piece of a reply', ' the order, as it was', true], ['its last character', 'plain é', false],
    ['its first character', '"plain', false], ['as much as is read', 'x'.repeat(512), true], ['more than is read', 'x'.repeat(513), false],
  ])('is found by every character of a short text: %s', (_name, text, expected) => {
    expect(isPlainText(text)).toBe(expected);
  });
});
