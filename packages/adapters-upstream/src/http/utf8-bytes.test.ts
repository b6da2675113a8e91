import { describe, expect, it } from '@jest/globals';
import { utf8Bytes } from './utf8-bytes.js';

describe('a text in UTF-8', () => {
  it.each([
    ['nothing', ''], ['ASCII', 'a\n"'], ['long ASCII', 'a'.repeat(100_000)], ['one accent at the end', `${'a'.repeat(10_000)}é`],
    ['one accent at the beginning', `é${'a'.repeat(10_000)}`], ['ideographs', '漢字'.repeat(5_000)], ['an emoji', '🙂'], ['half an emoji', '\ud83d'],
  ])('is what Node makes of %s', (_what, text) => {
    expect(Buffer.from(utf8Bytes(text))).toEqual(Buffer.from(text));
  });
});
