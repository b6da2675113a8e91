import { expect, it } from '@jest/globals';
import { globOf, isAscii, regexpOf } from './text-patterns.js';

it.each([
  ['Zo\u00eb', '*[Zz][oO][\u00eb\u00cb]*', '[Zz][oO][\u00eb\u00cb]'],
  ['1*?[]^-', '*1[*][?][[]]^-*', String.raw`1\*\?\[\]\^-`],
  [String.raw`\.$(|+{`, String.raw`*\.$(|+{*`, String.raw`\\\.\$\(\|\+\{`],
  ['\u00df\u{10400}', '*\u00df[\u{10400}\u{10428}]*', '\u00df[\u{10400}\u{10428}]'],
])('%j is searched for as the glob %j and the regular expression %j', (text, glob, regexp) => {
  expect([globOf(text), regexpOf(text)]).toEqual([glob, regexp]);
});

it('the pattern of an ASCII character is ASCII, and matches the lower-case form of the character', () => {
  const letters = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code));
  expect(letters.filter((letter) => !isAscii(letter) || !isAscii(regexpOf(letter)) || !new RegExp(`^(?:${regexpOf(letter)})$`, 'su').test(letter.toLowerCase()))).toEqual([]);
  expect(isAscii('r\u00f6cket')).toBe(false);
});
