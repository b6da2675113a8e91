import { expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { crossingsOf } from './balance-events.js';

const amount = (units: number): ServiceTokens => ServiceTokens.fromUnits(BigInt(units));

function crossed(before: number, after: number): readonly number[] {
  return crossingsOf({ before: amount(before), after: amount(after) }, [20, 5].map(amount)).map((threshold) => Number(threshold.toUnits()));
}

it.each([
  [100, 20, []], [20, 19, [20]], [100, 0, [20, 5]], [19, 5, []], [5, 4, [5]], [4, 0, []], [4, 100, []], [20, 20, []],
])('a change of the balance from %i to %i crosses the thresholds %j', (before, after, thresholds) => {
  expect(crossed(before, after)).toEqual(thresholds);
});

it('a threshold is reported once in a decrease, however many bookings the decrease takes', () => {
  for (const way of [[100, 0], [100, 50, 20, 0], [100, 19, 6, 5, 4, 0], [100, 20, 5, 0]]) {
    expect(way.slice(1).flatMap((after, index) => crossed(way[index] ?? 0, after))).toEqual([20, 5]);
  }
});
