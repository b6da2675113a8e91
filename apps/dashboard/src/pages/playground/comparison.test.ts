import { describe, expect, it } from '@jest/globals';
import { comparisonOf, measuredOf } from './comparison.js';
import { NO_REPLY } from './reply.js';

describe('two replies', () => {
  const a = { model: 'a', charged: '0.133', milliseconds: 1_000 };

  it.each([
    ['if the first is cheaper', { model: 'b', charged: '1.083', milliseconds: 1_050 }, { cheaper: 'a', times: '8.1', faster: null }],
    ['if the second is cheaper and slower', { model: 'b', charged: '0.066', milliseconds: 3_500 }, { cheaper: 'b', times: '2.0', faster: 'a', milliseconds: 2_500 }],
    ['if one costs far more', { model: 'b', charged: '4.2', milliseconds: 900 }, { cheaper: 'a', times: '32', faster: 'b', milliseconds: 100 }],
    ['if both cost the same', { model: 'b', charged: '0.1330', milliseconds: 1_000 }, { cheaper: null, times: null, faster: null }],
    ['if one is free', { model: 'b', charged: '0', milliseconds: 1_000 }, { cheaper: 'b', times: null }],
  ])('are compared by cost and time %s', (_, b, expected) => {
    expect(comparisonOf(a, b)).toMatchObject(expected);
  });

  it('are compared once they have ended and been charged; a usage record takes precedence over a receipt', () => {
    const receipt = { charged: '2', usd: '0', balance: null, isPending: true, promptTokens: 1, outputTokens: 1 };
    const turn = { role: 'model', model: 'm', reply: { ...NO_REPLY, receipt }, requestId: 'req_1', firstOutput: 3, took: 20, stopped: false, raw: null } as const;
    expect(measuredOf(turn, undefined)).toEqual({ model: 'm', charged: '2', milliseconds: 20 });
    expect(measuredOf(turn, '1.5')).toMatchObject({ charged: '1.5' });
    expect([measuredOf({ ...turn, took: null }, '1.5'), measuredOf({ ...turn, reply: NO_REPLY }, undefined), measuredOf(undefined, '1')]).toEqual([null, null, null]);
  });
});
