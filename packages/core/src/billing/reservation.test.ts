import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aModel, aPrice } from '@tollgate/testkit';
import { ServiceTokens } from '../money/service-tokens.js';
import { tokenCount } from '../primitives/token-count.js';
import { coveredOutput, expectedOutput, reserveDemand } from './reserve-demand.js';

describe('the size of a reservation', () => {
  it.each([[1, 1], [4095, 4095], [4096, 4096], [4097, 4096], [100_000, 4096]])('for a maximum output of %d tokens includes %d', (maximum, expected) => {
    expect(expectedOutput(tokenCount(maximum))).toBe(expected);
  });

  const cheap = aModel({ price: aPrice('0.01', '0.001', '0.0125', '0.05') });
  const dearOutput = aModel({ price: aPrice('0.01', '0.001', '0.01', '0.5') });
  const dearPrompt = aModel({ price: aPrice('0.5', '0.01', '0.6', '0.01') });

  it.each([
    ['the cost of the output and of the prompt in its dearest token class', [cheap], 1000, 100, '1', '17.5'],
    ['the cost with the dearest of several models, for a short prompt', [cheap, dearOutput, dearPrompt], 10, 100, '1', '50.1'],
    ['the cost with the dearest of several models, another one for a long prompt', [cheap, dearOutput, dearPrompt], 1000, 100, '1', '601'],
    ['the minimum if every model is cheaper', [cheap], 10, 1, '2.5', '2.5'],
    ['a cost just above the minimum', [cheap], 10, 1, '0.174999', '0.175'],
  ])('is %s', (_name, candidates, ...[prompt, output, minimum, amount]) => {
    const size = { promptTokens: tokenCount(prompt), outputTokens: tokenCount(output), candidates, minimum: ServiceTokens.parse(minimum) };
    expect(reserveDemand(size).amount.toString()).toBe(amount);
  });

  it.each([
    ['the cost of the prompt and 256 output tokens, if more output is expected', [cheap], 1000, 4096, '1', '25.3'],
    ['the whole amount, if no more than 256 output tokens are expected', [cheap], 1000, 256, '1', '25.3'],
    ['the cost with the dearest of several models, for 256 output tokens', [cheap, dearOutput, dearPrompt], 10, 4096, '1', '128.1'],
    ['the minimum if every model is cheaper', [cheap], 10, 4096, '100', '100'],
  ])('has as its floor %s', (_name, candidates, ...[prompt, output, minimum, floor]) => {
    const size = { promptTokens: tokenCount(prompt), outputTokens: tokenCount(output), candidates, minimum: ServiceTokens.parse(minimum) };
    expect(reserveDemand(size).floor.toString()).toBe(floor);
  });

  it.each<readonly [name: string, amount: string, covered: number]>([
    ['the full amount', '60', 95], ['a part of the amount', '50.1', 75], ['one unit less than the next token costs', '50.499999', 75],
    ['the cost of the prompt alone', '12.5', 0], ['less than the prompt costs', '12', 0],
  ])('covers as much output as the reserved amount pays for: %s', (_name, amount, covered) => {
    expect(coveredOutput({ amount: ServiceTokens.parse(amount), promptTokens: tokenCount(1000), candidates: [aModel({ price: aPrice('0.01', '0.001', '0.0125', '0.5') })] })).toBe(covered);
  });

  it('covers unlimited output if all candidates are free, and otherwise what the dearest candidate allows', () => {
    const free = aModel({ price: aPrice('0', '0', '0', '0') });
    const setAside = { amount: ServiceTokens.parse('1'), promptTokens: tokenCount(10) };
    expect(coveredOutput({ ...setAside, candidates: [free] })).toBe(Infinity);
    expect(coveredOutput({ ...setAside, candidates: [free, cheap] })).toBe(17);
    expect(coveredOutput({ ...setAside, candidates: [cheap, free] })).toBe(17);
  });

  it('covers at least the expected output, and the covered output costs at most the reserved amount', () => {
    const rate = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => (units / 10 ** 9).toFixed(9));
    fc.assert(fc.property(rate, rate, rate, fc.nat({ max: 200_000 }), fc.integer({ min: 1, max: 4096 }), (prompt, creation, output, promptTokens, outputTokens) => {
      const candidates = [aModel({ price: aPrice(prompt, prompt, creation, output) })];
      const size = { promptTokens: tokenCount(promptTokens), outputTokens: tokenCount(outputTokens), candidates, minimum: ServiceTokens.ZERO };
      const { amount, floor } = reserveDemand(size);
      const covered = coveredOutput({ amount, promptTokens: tokenCount(promptTokens), candidates });
      expect(covered).toBeGreaterThanOrEqual(outputTokens);
      const { amount: cost } = reserveDemand({ ...size, outputTokens: tokenCount(covered) });
      expect(amount.isLessThan(cost)).toBe(false);
      expect(coveredOutput({ amount: floor, promptTokens: tokenCount(promptTokens), candidates })).toBeGreaterThanOrEqual(Math.min(outputTokens, 256));
    }));
  });
});
