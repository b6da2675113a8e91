import { expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { storeInMemory } from '../../src/test-support/stores.js';

it.each([
  ['::/0', true], ['::/80', true], ['::ffff:0:0/96', true], ['::/96', false], ['2001:db8::/32', false],
])('a block of %s includes IPv4 addresses: %s', async (network, includesIpv4) => {
  const store = await storeInMemory();
  await store.controls.blockNetwork(network, { reason: null, expiresAt: null }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
  const { isNetworkBlocked } = store.platform.current();
  expect(['192.0.2.1', '::ffff:192.0.2.1'].map((address) => isNetworkBlocked(address, STORE_NOON))).toEqual([includesIpv4, includesIpv4]);
  await store.close();
});
