import { expect, it } from '@jest/globals';
import { byteSizeText } from './byte-size.js';

it.each([
  [0, '0 B'], [999, '999 B'], [1_000, '1.0 kB'], [1_240_000, '1.2 MB'], [9_949_999, '9.9 MB'], [9_950_000, '10 MB'], [999_499_999, '999 MB'], [999_500_000, '1.0 GB'], [25e12, '25 TB'], [9e15, '9000 TB'],
])('%d bytes are written as %j', (bytes, text) => {
  expect(byteSizeText(bytes)).toBe(text);
});
