import type { Server, Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.js';
import { insideNetworks, peerNetworkOf } from '../http/peer-network.js';

/** Which bound a connection was closed for. */
export type ConnectionBound = 'total' | 'address';

/** Learns of connections as they come and go. */
export interface ConnectionReport {
  opened(): void;
  closed(): void;
  /** A new connection was closed unanswered, because the bound was reached; `peer` is the address or network that reached its own bound. */
  refused(bound: ConnectionBound, peer: string | null): void;
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
