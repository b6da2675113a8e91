import { expect, it } from '@jest/globals';
import { haveRowsInCommon } from './rows-in-common.js';

it.each([
  ['more rows at the end', 'abc', 'abcde', true],
  ['rows dropped at the front', 'abcde', 'cdefg', true],
  ['rows back at the front', 'cdefg', 'abcde', true],
  ['another list', 'abc', 'xyz', false],
  ['no rows any more', 'abc', '', false],
  ['the first rows of all', '', 'abc', false],
])('%s', (_name, before, after, expected) => {
  expect(haveRowsInCommon(before.split(''), after.split(''))).toBe(expected);
});
