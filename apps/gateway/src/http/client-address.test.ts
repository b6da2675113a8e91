import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddressOf } from './client-address.js';

function addressOf(trusted: readonly string[], remoteAddress: string | undefined, forwarded?: string): string {
  return clientAddressOf(trusted)({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage);
}

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];

describe('the address of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['"[2001:db8::7]:4711"', '2001:db8::7'],
    [' 198.51.100.1 , 203.0.113.9:80 ', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, 10.7.7.7:9000', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, [2001:db8:ffff::1]:443, ::ffff:10.1.1.1', '203.0.113.9'],
    ['garbage, 203.0.113.9', '203.0.113.9'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    [',', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('behind a trusted proxy that says %j is %s', (forwarded, address) => {
    expect(addressOf(PROXIES, '10.0.0.1', forwarded)).toBe(address);
  });

  it.each(['unknown', '_hidden', '203.0.113.9:', '203.0.113.9:http', '[203.0.113.9', '[]', '203.0.113', '2001:db8::7:x', 'host.example.test', '203.0.113.9, oops, 10.7.7.7'])(
    'is unknown when a trusted proxy sends %j',
    (forwarded) => {
      expect(addressOf(PROXIES, '10.0.0.1', forwarded)).toBe('');
    },
  );

  it('is that of the connection if the peer is not a trusted proxy, whatever headers it sends', () => {
    expect(addressOf(PROXIES, '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
    expect(addressOf([], '10.0.0.1', 'unknown')).toBe('10.0.0.1');
    expect(addressOf(PROXIES, undefined)).toBe('');
  });

  it('is unknown if the chain of proxies is too long, and even a very long chain is rejected quickly', () => {
    const chainOf = (proxies: number): string => ['203.0.113.9', ...Array.from({ length: proxies }, () => '10.1.1.1')].join(',');
    expect([addressOf(PROXIES, '10.0.0.1', chainOf(31)), addressOf(PROXIES, '10.0.0.1', chainOf(32))]).toEqual(['203.0.113.9', '']);
    const begun = performance.now();
    expect(addressOf(PROXIES, '10.0.0.1', chainOf(50_000))).toBe('');
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
