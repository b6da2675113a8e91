import { expect, it } from '@jest/globals';
import { rowShift } from './row-shift.js';

it.each([
  ['nothing comes or goes', 'abc', 'abc', 0],
  ['rows come at the end', 'abc', 'abcde', 0],
  ['rows are dropped at the front', 'abcde', 'cdefg', -2],
  ['rows are put before', 'cdefg', 'abcde', 2],
  ['it is another list', 'abc', 'xyz', null],
  ['there was none', '', 'abc', null],
  ['there is none', 'abc', '', null],
])('%s', (_, before, after, shift) => {
  expect(rowShift(before.split(''), after.split(''))).toBe(shift);
});
