import { expect, it } from '@jest/globals';
import { portionsOf } from './portions.js';

it.each([
  [[], []],
  [[1], [[1]]],
  [[1, 2], [[1, 2]]],
  [[1, 2, 3], [[1, 2], [3]]],
  [[1, 2, 3, 4], [[1, 2], [3, 4]]],
])('%j in portions of two is %j', (items: readonly number[], portions: readonly (readonly number[])[]) => {
  expect(portionsOf(items, 2)).toEqual(portions);
});
