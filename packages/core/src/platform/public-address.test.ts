import { expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

it('isPublicAddress accepts addresses of the internet', () => {
  const publicOnes = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1', '198.17.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '2400::1'];
  expect(publicOnes.filter((address) => !isPublicAddress(address))).toEqual([]);
});

it('isPublicAddress refuses special-purpose addresses and texts that are no address', () => {
  const others = [
    '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1',
    '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1',
    '255.255.255.255', '::', '::1', '::ffff:1.1.1.1', '::ffff:7f00:1', '::1.1.1.1', '64:ff9b::1.1.1.1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::1', '3fff::1', 'fc00::1',
    'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '5f00::1', '2130706433', '0x7f.1', '017700000001', '127.1', 'localhost', '',
  ];
  expect(others.filter(isPublicAddress)).toEqual([]);
});
