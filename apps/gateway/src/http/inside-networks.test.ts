import { describe, expect, it, test } from '@jest/globals';
import { insideNetworks } from './inside-networks.js';

test('every IPv4 and IPv6 address is in ::/0', () => {
  const isInside = insideNetworks(['::/0']);
  expect(['::ffff:10.0.0.1', '192.0.2.1', '2001:db8::1', 'unknown'].map(isInside)).toEqual([true, true, true, false]);
});

describe('the networks 10.0.0.0/8, 192.0.2.1 and 2001:db8::/32', () => {
  const isInside = insideNetworks(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

  it.each(['10.255.0.1', '192.0.2.1', '::ffff:10.0.0.1', '2001:db8:ffff::1'])('contain %s', (address) => {
    expect(isInside(address)).toBe(true);
  });

  it.each(['11.0.0.1', '192.0.2.2', '::ffff:11.0.0.1', '2001:db9::1', 'unknown', ''])('do not contain %p', (address) => {
    expect(isInside(address)).toBe(false);
  });
});
