import { expect, it } from '@jest/globals';
import { grouped } from './grouped.js';

it.each([[0, '0'], [999, '999'], [5_000, '5,000'], ['20108.123456', '20,108.123456'], [1_234_567, '1,234,567']])('groups the digits of %s as %s', (value, shown) => {
  expect(grouped(value)).toBe(shown);
});
