import { expect, it } from '@jest/globals';
import { perMillion } from './rate.js';

it.each([
  ['0.003', '3000'], ['0.00275', '2750'], ['0', '0'], ['1', '1000000'], ['0.0000001', '0.1'], ['12.5', '12500000'], ['0.00000025', '0.25'], ['0.000001', '1'],
])('%s for a token is %s for a million', (rate, price) => {
  expect(perMillion(rate)).toBe(price);
});
