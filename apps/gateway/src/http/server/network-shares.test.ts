import { expect, it } from '@jest/globals';
import { NetworkShares } from './network-shares.js';

/** Begins `count` requests that never end; returns how many were admitted. */
function admitted(shares: NetworkShares, count: number, addressOf: (number: number) => string): number {
  return Array.from({ length: count }, (_, number) => shares.begin(addressOf(number))).filter((end) => end !== null).length;
}

it('no address is limited before the server’s maximum is known, and an exempt address is never limited', () => {
  const shares = new NetworkShares(['10.0.0.0/8']);
  expect(admitted(shares, 1000, () => '203.0.113.1')).toBe(1000);
  shares.boundBy(() => 100);
  expect(admitted(shares, 1000, () => '10.0.0.1')).toBe(1000);
});

it('a server over nine tenths full admits 8 requests per IPv4 address or /64, 16 per /56 and 32 per /48', () => {
  const shares = new NetworkShares([]);
  shares.boundBy(() => 100);
  expect(admitted(shares, 100, () => '203.0.113.1')).toBe(90);
  expect(admitted(shares, 100, () => '203.0.113.2')).toBe(8);
  expect(admitted(shares, 100, () => '2001:db8::1')).toBe(8);
  expect(admitted(shares, 100, (number) => `2001:db8:0:${number}::1`)).toBe(8);
  expect(admitted(shares, 50, (number) => `2001:db8:0:${number + 1}00::1`)).toBe(16);
});

it('a full server admits more requests once others have ended', () => {
  const shares = new NetworkShares([]);
  shares.boundBy(() => 10);
  const ends = Array.from({ length: 9 }, () => shares.begin('203.0.113.1'));
  expect(shares.begin('203.0.113.1')).toBeNull();
  ends[0]?.();
  expect(shares.begin('203.0.113.1')).not.toBeNull();
});
