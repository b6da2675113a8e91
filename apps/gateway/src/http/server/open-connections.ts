import type { Socket } from 'node:net';
import type { Clock, CountedNetwork, Instant } from '@tollgate/core';

interface PeerNetwork {
  readonly name: string;
  readonly times: CountedNetwork['times'];
  count: number;
  /** Idle connections, the longest idle first. */
  readonly idle: Set<OpenConnection>;
}

export interface OpenConnection {
  readonly socket: Socket;
  /** Networks of the peer, the smallest first; empty for exempt peers. */
  readonly networks: readonly PeerNetwork[];
  /** Running requests. Without one the connection is idle, even with a partial request or an unread reply. */
  requests: number;
  /** Time at which the connection was opened, or last became idle. */
  idleSince: Instant;
  /** False once removed. */
  isOpen: boolean;
}

/** Largest `times` of a network. Loads are multiplied by it, so that they are integers. */
const MAX_TIMES = 4;

/** Number of connections in relation to the size of the network. */
function loadOf({ count, times }: PeerNetwork): number {
  return (count * MAX_TIMES) / times;
}

/**
 * Open connections by network, and their idleness. Constant time per change; the search for the network with the highest load looks at each distinct
 * load, of which there are at most a few hundred.
 */
export class OpenConnections {
  readonly #networks = new Map<string, PeerNetwork>();
  /** Networks with idle connections, by load. */
  readonly #idleByLoad = new Map<number, Set<PeerNetwork>>();
  /** Idle connections of exempt peers. */
  readonly #idleExempt = new Set<OpenConnection>();
  #count = 0;

  constructor(private readonly clock: Clock) {}

  get count(): number {
    return this.#count;
  }

  countOf(name: string): number {
    return this.#networks.get(name)?.count ?? 0;
  }

  /** Adds a connection, which is idle at first. */
  add(socket: Socket, counted: readonly CountedNetwork[]): OpenConnection {
    const networks = counted.map(({ name, times }) => this.#networks.get(name) ?? { name, times, count: 0, idle: new Set<OpenConnection>() });
    const connection = { socket, networks, requests: 0, idleSince: this.clock.now(), isOpen: true };
    this.#count += 1;
    for (const network of networks) {
      this.#networks.set(network.name, network);
      this.#change(network, () => {
        network.count += 1;
        network.idle.add(connection);
      });
    }
    if (networks.length === 0) this.#idleExempt.add(connection);
    return connection;
  }

  remove(connection: OpenConnection): void {
    connection.isOpen = false;
    this.#count -= 1;
    this.#idleExempt.delete(connection);
    for (const network of connection.networks) {
      this.#change(network, () => {
        network.count -= 1;
        network.idle.delete(connection);
      });
      if (network.count === 0) this.#networks.delete(network.name);
    }
  }

  beginRequest(connection: OpenConnection): void {
    connection.requests += 1;
    if (connection.requests > 1) return;
    this.#idleExempt.delete(connection);
    for (const network of connection.networks) this.#change(network, () => network.idle.delete(connection));
  }

  endRequest(connection: OpenConnection): void {
    connection.requests -= 1;
    if (connection.requests > 0) return;
    connection.idleSince = this.clock.now();
    if (connection.networks.length === 0) this.#idleExempt.add(connection);
    for (const network of connection.networks) this.#change(network, () => network.idle.add(connection));
  }

  longestIdleOf(name: string): OpenConnection | null {
    const [first = null] = this.#networks.get(name)?.idle ?? [];
    return first;
  }

  /** The connection that has been idle longest in the network with the highest load; one of an exempt peer only if no other is idle. */
  longestIdle(): OpenConnection | null {
    const [network] = this.#idleByLoad.get(Math.max(...this.#idleByLoad.keys())) ?? [];
    const [first = null] = network?.idle ?? this.#idleExempt;
    return first;
  }

  #change(network: PeerNetwork, change: () => void): void {
    const before = network.idle.size > 0 ? loadOf(network) : null;
    change();
    const after = network.idle.size > 0 ? loadOf(network) : null;
    if (before === after) return;
    if (before !== null) this.#leave(before, network);
    if (after === null) return;
    const peers = this.#idleByLoad.get(after) ?? new Set();
    this.#idleByLoad.set(after, peers.add(network));
  }

  #leave(load: number, network: PeerNetwork): void {
    const peers = this.#idleByLoad.get(load);
    peers?.delete(network);
    if (peers?.size === 0) this.#idleByLoad.delete(load);
  }
}
