import { describe, expect, it } from '@jest/globals';
import { type ConnectionLimits, withinDescriptors } from './connection-limits.js';

const LIMITS: ConnectionLimits = { maximum: 10_000, maximumPerAddress: 512, exemptNetworks: [] };

describe('the limits on connections', () => {
  it.each<[number | null, number, number]>([
    [null, 10_000, 512],
    [12_500, 10_000, 512],
    [12_499, 9_999, 512],
    [1_024, 819, 409],
    [300, 240, 120],
    [1, 1, 1],
  ])('with %p file descriptors are %p in total and %p per address', (descriptors, maximum, maximumPerAddress) => {
    expect(withinDescriptors(LIMITS, descriptors)).toEqual({ ...LIMITS, maximum, maximumPerAddress });
  });

  it('keep a configured maximum per address that is below the one derived from the file descriptors', () => {
    expect(withinDescriptors({ ...LIMITS, maximumPerAddress: 8 }, 300)).toMatchObject({ maximum: 240, maximumPerAddress: 8 });
  });
});
