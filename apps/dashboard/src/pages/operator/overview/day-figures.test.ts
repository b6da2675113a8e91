import { expect, it } from '@jest/globals';
import { figuresIn } from './day-figures.js';

function day(period: string | null, tokens: string, requests: number) {
  return { period, svc_tokens_debited: tokens, svc_cost_usd: `0.00${tokens}`, requests };
}

it('the figures of a period are the exact sums of its days, including the first and the last', () => {
  const days = [day('2026-11-20', '7', 4), day('2026-11-21', '1', 2), day('2026-11-22', '2', 3), day('2026-11-23', '5', 1), day(null, '9', 9)];
  expect(figuresIn(days, { first: '2026-11-21', last: '2026-11-22' })).toEqual({ tokens: '3', usd: '0.003', requests: 5 });
});

it('the figures of a period without days are zero', () => {
  expect(figuresIn([], { first: '2026-11-21', last: '2026-11-22' })).toEqual({ tokens: '0', usd: '0', requests: 0 });
});
