import { expect, it } from '@jest/globals';
import { haveRowsInCommon } from './rows-in-common.js';

it.each([
  ['more rows at the end of a list', 'abc', 'abcde', true],
  ['a list that lost rows at the front', 'abcde', 'cdefg', true],
  ['a list that regained rows at the front', 'cdefg', 'abcde', true],
  ['a list with other rows', 'abc', 'xyz', false],
  ['a list that became empty', 'abc', '', false],
  ['a list that was empty before', '', 'abc', false],
])('finds whether two states have rows in common: %s', (_name, before, after, expected) => {
  expect(haveRowsInCommon(before.split(''), after.split(''))).toBe(expected);
});
