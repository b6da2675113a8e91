import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { countedNetworksOf } from '@tollgate/core';
import { type OpenConnection, OpenConnections } from './open-connections.js';

function opened(open: OpenConnections, ...addresses: readonly string[]): readonly OpenConnection[] {
  return addresses.map((address) => open.add(new Socket(), address === 'exempt' ? [] : countedNetworksOf(address)));
}

describe('open connections', () => {
  it('are counted for each network of an IPv6 address', () => {
    const open = new OpenConnections(new ManualClock());
    const [first] = opened(open, '2001:db8:1:101::1', '2001:db8:1:101::2', '2001:db8:1:102::1', '2001:db8:1:201::1') as [OpenConnection];
    const counts = (): readonly number[] => ['2001:db8:1:101::/64', '2001:db8:1:100::/56', '2001:db8:1::/48'].map((name) => open.countOf(name));
    expect([open.count, counts()]).toEqual([4, [2, 3, 4]]);
    open.remove(first);
    expect([open.count, counts()]).toEqual([3, [1, 2, 3]]);
  });

  it('are closed first in the network with most of them, even if that is a /48 with one connection per /56', () => {
    const open = new OpenConnections(new ManualClock());
    const [lone] = opened(open, '192.0.2.1');
    const spread = opened(open, ...Array.from({ length: 12 }, (_, number) => `2001:db8:1:${(number * 0x100).toString(16)}::1`));
    expect(open.longestIdle()).toBe(spread[0]);
    for (const connection of spread) open.remove(connection);
    expect(open.longestIdle()).toBe(lone);
  });

  it('are idle while they have no request', () => {
    const open = new OpenConnections(new ManualClock());
    const [first, second] = opened(open, '192.0.2.1', '192.0.2.1') as [OpenConnection, OpenConnection];
    open.beginRequest(first);
    open.beginRequest(first);
    expect(open.longestIdle()).toBe(second);
    open.beginRequest(second);
    expect([open.longestIdle(), open.longestIdleOf('192.0.2.1')]).toEqual([null, null]);
    open.endRequest(first);
    expect(open.longestIdle()).toBeNull();
    open.endRequest(first);
    expect(open.longestIdle()).toBe(first);
  });

  it('of an exempt peer, such as a proxy, are closed last', () => {
    const open = new OpenConnections(new ManualClock());
    const [proxy, client] = opened(open, 'exempt', '192.0.2.1') as [OpenConnection, OpenConnection];
    expect(open.longestIdle()).toBe(client);
    open.remove(client);
    expect(open.longestIdle()).toBe(proxy);
    open.beginRequest(proxy);
    expect(open.longestIdle()).toBeNull();
  });
});
