import { describe, expect, it } from '@jest/globals';
import { shownAmount, tokensOf } from './amount-unit.js';

describe('an amount that is typed in dollars', () => {
  it.each([['5', '5000'], ['1,000.5', '1000500'], ['', ''], ['5.', '5.'], ['-5', '-5'], ['five', 'five']])('is converted to service tokens, or is unchanged if it is not a valid amount: %j to %j', (typed, tokens) => {
    expect(tokensOf(typed, '0.001')).toBe(tokens);
  });

  it('stays as typed while its value in service tokens is unchanged', () => {
    expect(shownAmount('5000', '5.0', '0.001')).toBe('5.0');
    expect(shownAmount('five', 'five', '0.001')).toBe('five');
  });

  it('is recomputed when the number of service tokens changes', () => {
    expect(shownAmount('5000', '', '0.001')).toBe('5');
    expect(shownAmount('0.000001', '7', '0.001')).toBe('0.000000001');
    expect(shownAmount('', '7', '0.001')).toBe('');
  });
});
