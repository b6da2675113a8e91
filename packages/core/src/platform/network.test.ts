import { isIP, SocketAddress } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { countedNetworksOf, formatAddress, formatNetwork, networkMatcher, parseAddress, parseNetwork } from './network.js';

function normalised(text: string): string | null {
  const network = parseNetwork(text);
  return network === null ? null : formatNetwork(network);
}

describe('a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7/32'],
    [' 192.0.2.7 ', '192.0.2.7/32'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:0:0:1::/48', '2001:db8::/48'],
    ['2001:db8:1:2:3:4:5:6/65', '2001:db8:1:2::/65'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::ffff:192.0.2.7/95', '::fffe:0:0/95'],
    ['::192.0.2.7', '::192.0.2.7/128'],
    ['::/0', '::/0'],
  ])('written as %p is %s', (text, expected) => {
    expect(normalised(text)).toBe(expected);
  });

  it.each([
    '', 'unknown', '192.0.2', '192.0.2.256', '192.0.2.07', '192.0.2.7/33', '192.0.2.7/', '192.0.2.7/-1', '192.0.2.7/8/8', '192.0.2.7/ 8', '::1/129', ':::', '::1::', '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', '12345::', 'g::', '1.2.3.4::', '::1.2.3', 'fe80::1%eth0', 'fe80::1%eth0/64', ':1::2', '1:',
  ])('is not read from %p', (text) => {
    expect(normalised(text)).toBeNull();
  });
});

describe('reading and formatting addresses', () => {
  const group = fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)).map((value) => value.toString(16));
  const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'));
  const almostIpv6 = fc.array(fc.oneof(group, fc.constantFrom('', '', '1.2.3.4', '0')), { minLength: 1, maxLength: 9 }).map((groups) => groups.join(':'));
  const almostIpv4 = fc.array(fc.oneof(fc.nat(300), fc.constantFrom('00', '01', '')), { minLength: 3, maxLength: 5 }).map((bytes) => bytes.join('.'));

  it('accepts the same addresses as Node', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), ipv6, almostIpv6, almostIpv4), (text) => {
      expect([text, parseAddress(text) !== null]).toEqual([text, isIP(text) !== 0]);
    }), { numRuns: 2_000 });
  });

  it('formats addresses as Node does', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV6(), ipv6), (text) => {
      const address = parseAddress(text);
      const expected = new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '');
      expect([text, address === null ? null : formatAddress(address)]).toEqual([text, expected]);
    }), { numRuns: 2_000 });
  });
});

describe('networks', () => {
  const networks = ['10.0.0.0/8', '192.0.2.1', '192.0.2.3', '2001:db8::/32', 'fe80::/10'].flatMap((text) => parseNetwork(text) ?? []);
  const isInside = networkMatcher(networks, 'outside');

  it.each(['10.255.0.1', '192.0.2.1', '192.0.2.3', '::ffff:10.0.0.1', '::FFFF:a00:1', '2001:db8:ffff::1', 'fe80::1%eth0'])('contain %s', (address) => {
    expect(isInside(address)).toBe(true);
  });

  it.each(['11.0.0.1', '192.0.2.2', '::ffff:11.0.0.1', '::10.0.0.1', '2001:db9::1', '20.1.13.184'])('do not contain %p', (address) => {
    expect(isInside(address)).toBe(false);
  });

  it.each([
    ['::/0', true], ['::/80', true], ['::ffff:0:0/96', true], ['::fffe:0:0/95', true], ['::/96', false], ['2001:db8::/32', false], ['8000::/1', false],
  ])('of %s contain IPv4 addresses: %s', (text, includesIpv4) => {
    const hasInside = networkMatcher([parseNetwork(text)].filter((network) => network !== null), 'outside');
    expect(['192.0.2.1', '::ffff:192.0.2.1'].map(hasInside)).toEqual([includesIpv4, includesIpv4]);
  });

  it('contain invalid addresses only if the caller treats these as inside, and never if there are no networks', () => {
    expect(['', 'unknown'].map(isInside)).toEqual([false, false]);
    expect(['', 'unknown'].map(networkMatcher(networks, 'inside'))).toEqual([true, true]);
    expect(networkMatcher([], 'inside')('unknown')).toBe(false);
  });
});

describe('the networks whose counts include an address,', () => {
  it.each([
    ['192.0.2.1', [{ name: '192.0.2.1', times: 1 }]],
    ['::ffff:192.0.2.1', [{ name: '192.0.2.1', times: 1 }]],
    ['2001:db8:1:2ff:a::1', [{ name: '2001:db8:1:2ff::/64', times: 1 }, { name: '2001:db8:1:200::/56', times: 2 }, { name: '2001:db8:1::/48', times: 4 }]],
    ['unknown', [{ name: 'unknown', times: 1 }]],
  ])('for the address %s are %j', (address, networks) => {
    expect(countedNetworksOf(address)).toEqual(networks);
  });
});
