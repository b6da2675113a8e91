import { expect, it } from '@jest/globals';
import { globOf, regexpOf } from './text-patterns.js';

it.each([
  ['Zo\u00eb', '*[Zz][oO][\u00eb\u00cb]*', '[Zz][oO][\u00eb\u00cb]'],
  ['1*?[]^-', '*1[*][?][[]]^-*', String.raw`1\*\?\[\]\^-`],
  [String.raw`\.$(|+{`, String.raw`*\.$(|+{*`, String.raw`\\\.\$\(\|\+\{`],
  ['\u00df\u{10400}', '*\u00df[\u{10400}\u{10428}]*', '\u00df[\u{10400}\u{10428}]'],
])('%j is looked for as %j and as %j', (text, glob, regexp) => {
  expect([globOf(text), regexpOf(text)]).toEqual([glob, regexp]);
});
