import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, type CountedNetwork, countedNetworksOf, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { insideNetworks } from '../inside-networks.js';
import { onceLeftToClient } from '../reply/leave-to-client.js';
import type { NetworkShares } from './network-shares.js';
import { type OpenConnection, OpenConnections } from './open-connections.js';

export type ConnectionBound = 'total' | 'address';

export interface ConnectionReport {
  opened(): void;
  closed(): void;
  /** `peer` is the address or network whose limit was reached; `null` for the total. */
  refused(bound: ConnectionBound, peer: string | null): void;
  /** Called when an idle connection was closed to make room for a new one, or for an upstream socket. */
  closedIdle(bound: ConnectionBound): void;
}

export interface ConnectionLimits {
  readonly maximum: number;
  /** Maximum number of connections per IPv4 address or IPv6 /64; doubled per /56, quadrupled per /48. */
  readonly maximumPerAddress: number;
  /** Networks of peers that represent many clients, such as proxies. */
  readonly exemptNetworks: readonly string[];
  /** File descriptors of the process, including upstream sockets; `null` or absent for unlimited. */
  readonly descriptors?: number | null;
}

export interface OtherSockets {
  readonly open: number;
  boundBy(hasRoom: () => boolean): void;
}

interface ConnectionPorts {
  readonly report: ConnectionReport;
  readonly others: OtherSockets;
  readonly shares: Pick<NetworkShares, 'boundBy'>;
  readonly clock: Clock;
}

/** Connections count as scarce once they reach this share of a limit. */
const SCARCE_SHARE = 0.9;
/** Keep-alive timeout while connections are scarce. */
const SCARCE_KEEP_ALIVE_MILLISECONDS = 5000;

/** Time for which a connection must be idle before it is closed although the limit is not reached. */
const MIN_IDLE_MILLISECONDS = 1000;

function isScarce(count: number, maximum: number): boolean {
  return count >= Math.max(1, Math.floor(maximum * SCARCE_SHARE));
}

/**
 * Limits connections in total and by network. From 90 % of a limit on, keep-alive is short, and each new connection closes an idle one: near the
 * limit of its network, one of that network; near the total limit, one of the network with most connections. The closed one was idle for a second, or
 * for any time if the limit is reached. New connections are closed only if the limit is reached and none is idle. Upstream sockets share the
 * descriptors, of which some are reserved for them.
 */
export function boundConnections(server: Server, limits: ConnectionLimits, ports: ConnectionPorts): void {
  const bounds = new ConnectionBounds(limits, ports);
  ports.others.boundBy(() => bounds.hasRoomForOther());
  ports.shares.boundBy(() => bounds.maximum);
  const bySocket = new WeakMap<Socket, OpenConnection>();
  // Runs before Node's own listener, which starts its timeout for a request.
  server.prependListener('connection', (socket: Socket) => {
    const connection = bounds.open(socket);
    if (connection !== null) bySocket.set(socket, connection);
  });
  const begin = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    const connection = bySocket.get(socket);
    if (connection === undefined) return;
    bounds.beginRequest(connection);
    // Tells the shorter timeout to clients that reuse connections; Node would state the usual timeout.
    if (bounds.isCrowded(connection)) res.setHeader('keep-alive', `timeout=${SCARCE_KEEP_ALIVE_MILLISECONDS / MILLISECONDS_PER_SECOND}`);
    onceLeftToClient(res, () => bounds.endRequest(connection));
    // By this event Node already waits for the next request.
    res.on('close', () => bounds.waitsForNext(connection));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.prependListener(event, begin);
}

class ConnectionBounds {
  readonly #open: OpenConnections;
  readonly #isExempt: (address: string) => boolean;
  readonly #report: ConnectionReport;
  readonly #others: OtherSockets;
  readonly #clock: Clock;
  /** No client is accepted once this many connections and upstream sockets are open. */
  readonly #descriptorsForClients: number;
  /** No upstream socket is opened once this many connections and upstream sockets are open. */
  readonly #descriptorsForSockets: number;

  constructor(private readonly limits: ConnectionLimits, { report, others, clock }: ConnectionPorts) {
    const { descriptors } = limits;
    this.#descriptorsForClients = shareOf(descriptors, SHARE_OF_DESCRIPTORS);
    this.#descriptorsForSockets = Math.max(1, Math.min(shareOf(descriptors, SHARE_OF_SOCKETS), (descriptors ?? Infinity) - MIN_REST));
    this.#clock = clock;
    this.#open = new OpenConnections(clock);
    this.#report = report;
    this.#others = others;
    this.#isExempt = insideNetworks(limits.exemptNetworks);
  }

  /** Counts a new connection; `null` if it was closed instead. */
  open(socket: Socket): OpenConnection | null {
    const address = socket.remoteAddress;
    if (address === undefined) return null;
    const networks = this.#isExempt(address) ? [] : countedNetworksOf(address);
    if (!this.#makeRoom(networks)) {
      socket.destroy();
      return null;
    }
    const connection = this.#open.add(socket, networks);
    this.#report.opened();
    socket.once('close', () => this.#forget(connection));
    return connection;
  }

  beginRequest(connection: OpenConnection): void {
    if (connection.isOpen) this.#open.beginRequest(connection);
  }

  endRequest(connection: OpenConnection): void {
    if (connection.isOpen) this.#open.endRequest(connection);
  }

  waitsForNext(connection: OpenConnection): void {
    if (connection.isOpen && connection.requests === 0 && this.isCrowded(connection)) connection.socket.setTimeout(SCARCE_KEEP_ALIVE_MILLISECONDS);
  }

  /** True if connections are scarce in total, or in one of the networks of this connection. */
  isCrowded({ networks }: OpenConnection): boolean {
    if (isScarce(this.#open.count, this.maximum)) return true;
    for (const { count, times } of networks) if (isScarce(count, this.limits.maximumPerAddress * times)) return true;
    return false;
  }

  /** Closes idle connections while connections are scarce. Returns whether there is room. */
  #makeRoom(networks: readonly CountedNetwork[]): boolean {
    for (const { name, times } of networks) {
      const maximum = this.limits.maximumPerAddress * times;
      if (isScarce(this.#open.countOf(name), maximum)) this.#giveWay(this.#open.longestIdleOf(name), { bound: 'address', isFull: this.#open.countOf(name) >= maximum });
      if (this.#open.countOf(name) >= maximum) {
        this.#report.refused('address', name);
        return false;
      }
    }
    const maximum = this.maximum;
    if (isScarce(this.#open.count, maximum)) this.#giveWay(this.#open.longestIdle(), { bound: 'total', isFull: this.#open.count >= maximum });
    if (this.#open.count < maximum) return true;
    this.#report.refused('total', null);
    return false;
  }

  /** Maximum number of client connections, which depends on open upstream sockets. */
  get maximum(): number {
    return Math.min(this.limits.maximum, this.#descriptorsForClients - this.#others.open);
  }

  /** True if one more upstream socket may be opened. Closes idle connections if needed. */
  hasRoomForOther(): boolean {
    while (this.#open.count + this.#others.open >= this.#descriptorsForSockets) {
      const idle = this.#open.longestIdle();
      if (idle === null) return false;
      this.#closeIdle(idle, 'total');
    }
    return true;
  }

  /** Closes the idle connection, but before the limit is reached only if it has been idle for a while. */
  #giveWay(idle: OpenConnection | null, { bound, isFull }: { readonly bound: ConnectionBound; readonly isFull: boolean }): void {
    if (idle !== null && (isFull || later(idle.idleSince, MIN_IDLE_MILLISECONDS) <= this.#clock.now())) this.#closeIdle(idle, bound);
  }

  #closeIdle(connection: OpenConnection | null, bound: ConnectionBound): void {
    if (connection === null) return;
    this.#report.closedIdle(bound);
    connection.socket.destroy();
    // Forgotten at once, because the `close` event comes later.
    this.#forget(connection);
  }

  #forget(connection: OpenConnection): void {
    if (!connection.isOpen) return;
    this.#open.remove(connection);
    this.#report.closed();
  }
}

/** No client is accepted once connections and upstream sockets use this share of the descriptors. */
const SHARE_OF_DESCRIPTORS = 0.8;
/**
 * No upstream socket is opened once connections and upstream sockets use this share of the descriptors; the rest, at least `MIN_REST`, is for
 * database and files.
 */
const SHARE_OF_SOCKETS = 0.9;
export const MIN_REST = 48;

function shareOf(descriptors: number | null | undefined, share: number): number {
  return descriptors === null || descriptors === undefined ? Infinity : Math.max(1, Math.floor(descriptors * share));
}

/** Share of connections for one address while descriptors are scarce. */
const SHARE_OF_ONE_ADDRESS = 0.5;

/** The limits, reduced so that descriptors are left for everything else; unchanged if descriptors are unlimited. */
export function withinDescriptors(limits: ConnectionLimits, descriptors: number | null): ConnectionLimits {
  const possible = shareOf(descriptors, SHARE_OF_DESCRIPTORS);
  if (limits.maximum <= possible) return limits;
  const largestShare = Math.max(1, Math.floor(possible * SHARE_OF_ONE_ADDRESS));
  return { ...limits, maximum: possible, maximumPerAddress: Math.min(limits.maximumPerAddress, largestShare) };
}
