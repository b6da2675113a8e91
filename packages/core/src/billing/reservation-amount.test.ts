import { describe, expect, it } from '@jest/globals';
import { aModel, aPrice } from '@tollgate/testkit';
import { tokenCount } from '../ids.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { expectedOutput, reservationAmount } from './reservation-amount.js';

describe('the size of a reservation', () => {
  it.each([[1, 1], [4095, 4095], [4096, 4096], [4097, 4096], [100_000, 4096]])('an output of up to %d is expected to be %d', (maximum, expected) => {
    expect(expectedOutput(tokenCount(maximum))).toBe(expected);
  });

  const cheap = aModel({ price: aPrice('0.01', '0.001', '0.0125', '0.05') });
  const dearOutput = aModel({ price: aPrice('0.01', '0.001', '0.01', '0.5') });
  const dearPrompt = aModel({ price: aPrice('0.5', '0.01', '0.6', '0.01') });

  it.each([
    ['the prompt at its dearest class', [cheap], 1000, 100, '1', '17.5'],
    ['the dearest of several models, for this prompt and output', [cheap, dearOutput, dearPrompt], 10, 100, '1', '50.1'],
    ['another of them for a longer prompt', [cheap, dearOutput, dearPrompt], 1000, 100, '1', '601'],
    ['the minimum where all would be cheaper', [cheap], 10, 1, '2.5', '2.5'],
    ['a cost just above the minimum', [cheap], 10, 1, '0.174999', '0.175'],
  ])('is %s', (_name, candidates, ...[prompt, output, minimum, amount]) => {
    const size = { promptTokens: tokenCount(prompt), outputTokens: tokenCount(output), candidates, minimum: ServiceTokens.parse(minimum) };
    expect(reservationAmount(size).toString()).toBe(amount);
  });
});
