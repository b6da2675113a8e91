import { describe, expect, it } from '@jest/globals';
import { contract } from '../routes/contract.js';
import { largestPageOf } from './page-limit.js';

const LISTS = Object.entries(contract).flatMap(([name, route]) => ('query' in route && 'limit' in route.query.shape ? [[name, route, route.query.shape.limit] as const] : []));

describe('the maximum page size', () => {
  it.each(LISTS)('is accepted by %s, and one row more is refused', (_name, route, limit) => {
    const most = largestPageOf(route) ?? 0;
    expect([most, most + 1].map((rows) => limit.safeParse(rows).success)).toEqual([true, false]);
  });

  it('is absent for routes without pages', () => {
    expect(largestPageOf(contract.me)).toBeNull();
  });
});
