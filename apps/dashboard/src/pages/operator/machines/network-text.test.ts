import { expect, it } from '@jest/globals';
import { parseNetwork } from '@tollgate/core';
import { isNetwork } from './network-text.js';

const ADDRESSES = [
  '192.0.2.7', '0.0.0.0', '255.255.255.255', '256.0.0.1', '192.0.2', '192.0.2.7.', '192.0.2.07', '1.2.3.4.5', '::', '::1', '2001:db8::7', '2001:DB8:0:0:0:0:0:7', '::ffff:192.0.2.7', '1::2::3',
  '2001:db8', 'g::1', '::1.2.3', '::01.2.3.4', 'fe80::1%eth0', '[::1]', 'home', '', ':', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9', '12345::', '0x7f.1', '127.1', ']@a:b[::1',
];

it.each(ADDRESSES.flatMap((address) => ['', '/0', '/32', '/33', '/128', '/129', '/x', '/', '/1/2'].map((prefix) => address + prefix)))('isNetwork agrees with the gateway on whether %j is a network', (text) => {
  expect(isNetwork(text)).toBe(parseNetwork(text) !== null);
});
