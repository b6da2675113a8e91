import type { Server, Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { insideNetworks, peerNetworkOf } from '../addresses.js';

/** Which bound a connection was closed for. */
export type ConnectionBound = 'total' | 'address';

/** Learns of connections as they come and go. */
export interface ConnectionReport {
  opened(): void;
  closed(): void;
  /** A new connection was closed unanswered, because the bound was reached; `peer` is the address or network that reached its own bound. */
  refused(bound: ConnectionBound, peer: string | null): void;
}

/** How many connections clients may have open at a time. */
export interface ConnectionLimits {
  readonly maximum: number;
  /** Of one address; of one /64 network for IPv6. */
  readonly maximumPerAddress: number;
  /** Networks whose peers have no bound per address, since one peer stands for many clients. */
  readonly exemptNetworks: readonly string[];
}

/** Closes new connections to a server, without an answer, while as many are open as may be, in all or from their address. */
export function boundConnections(server: Server, limits: ConnectionLimits, report: ConnectionReport): void {
  const counts = new ConnectionCounts();
  const isExempt = insideNetworks(limits.exemptNetworks);
  server.maxConnections = limits.maximum;
  server.on('drop', () => report.refused('total', null));
  // Before Node's own listener, which would begin to wait for a request.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // The peer is gone already.
    if (address === undefined) return;
    const network = isExempt(address) ? null : peerNetworkOf(address);
    if (network !== null && counts.of(network) >= limits.maximumPerAddress) {
      report.refused('address', network);
      socket.destroy();
      return;
    }
    if (network !== null) counts.add(network);
    report.opened();
    socket.once('close', () => {
      if (network !== null) counts.remove(network);
      report.closed();
    });
  });
}

/** Connections of each address that has any. */
class ConnectionCounts {
  readonly #counts = new Map<string, number>();

  of(network: string): number {
    return this.#counts.get(network) ?? 0;
  }

  add(network: string): void {
    this.#counts.set(network, this.of(network) + 1);
  }

  remove(network: string): void {
    const left = this.of(network) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
  }
}

/** The rest is for the database, upstreams and files. */
const SHARE_OF_DESCRIPTORS = 0.8;

/** Where descriptors are scarce, one address gets at most this share of the connections. */
const SHARE_OF_ONE_ADDRESS = 0.5;

/** The bounds that leave enough descriptors for everything else; the given ones where the number of descriptors is unlimited. */
export function withinDescriptors(limits: ConnectionLimits, descriptors: number | null): ConnectionLimits {
  const possible = descriptors === null ? Infinity : Math.max(1, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  if (limits.maximum <= possible) return limits;
  const largestShare = Math.max(1, Math.floor(possible * SHARE_OF_ONE_ADDRESS));
  return { ...limits, maximum: possible, maximumPerAddress: Math.min(limits.maximumPerAddress, largestShare) };
}

const LIMITS_FILE = '/proc/self/limits';
const OPEN_FILES = /^Max open files +(\d+)/m;

/** How many file descriptors this process may have open; `null` where there is no limit, or no Linux to ask for it. */
export function descriptorLimit(): number | null {
  try {
    const limit = OPEN_FILES.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
