import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { type Clock, type CountedNetwork, countedNetworksOf, later, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import { insideNetworks } from '../peer-network.js';
import { onceLeftToClient } from '../reply/leave-to-client.js';
import type { NetworkShares } from './network-shares.js';
import { type OpenConnection, OpenConnections } from './open-connections.js';

/** Which bound a connection was closed for. */
export type ConnectionBound = 'total' | 'address';

/** Learns of connections as they come and go. */
export interface ConnectionReport {
  opened(): void;
  closed(): void;
  /** A new connection was closed unanswered, because the bound was reached; `peer` is the address or network that reached its own bound. */
  refused(bound: ConnectionBound, peer: string | null): void;
  /** An idle connection was closed to make room for a new one. */
  closedIdle(bound: ConnectionBound): void;
}

/** How many connections clients may have open at a time. */
export interface ConnectionLimits {
  readonly maximum: number;
  /** Of one IPv4 address or one /64 network of IPv6; a /56 may have twice as many, a /48 four times. */
  readonly maximumPerAddress: number;
  /** Networks whose peers have no bound per address, since one peer stands for many clients. */
  readonly exemptNetworks: readonly string[];
  /** File descriptors that the process may open, which sockets to upstreams take too; unlimited if absent or `null`. */
  readonly descriptors?: number | null;
}

/** Sockets of the process besides those of clients. */
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

/** The part of a bound from which on connections are scarce. */
const SCARCE_SHARE = 0.9;
/** How long a connection may wait for its next request then. */
const SCARCE_KEEP_ALIVE_MILLISECONDS = 5000;

/** How long a connection must be idle to give way before the bound is full. */
const MIN_IDLE_MILLISECONDS = 1000;

function isScarce(count: number, maximum: number): boolean {
  return count >= Math.max(1, Math.floor(maximum * SCARCE_SHARE));
}

/**
 * Bounds the connections to a server, in all and by the network of their peers. From 90 % of a bound on, each new connection closes one that
 * has been idle for a second, or at the bound any idle one, of the network that holds most, and keep-alive is short. A new connection is closed without an answer only where the bound is reached
 * and none is idle. Sockets to upstreams take from the descriptors of clients, and a part is left to them.
 */
export function boundConnections(server: Server, limits: ConnectionLimits, ports: ConnectionPorts): void {
  const bounds = new ConnectionBounds(limits, ports);
  ports.others.boundBy(() => bounds.hasRoomForOther());
  ports.shares.boundBy(() => bounds.maximum);
  const bySocket = new WeakMap<Socket, OpenConnection>();
  // Before Node's own listener, which would begin to wait for a request.
  server.prependListener('connection', (socket: Socket) => {
    const connection = bounds.open(socket);
    if (connection !== null) bySocket.set(socket, connection);
  });
  const begin = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    const connection = bySocket.get(socket);
    if (connection === undefined) return;
    bounds.beginRequest(connection);
    // Clients that reuse connections know then how long they may; Node would name the usual time.
    if (bounds.isCrowded(connection)) res.setHeader('keep-alive', `timeout=${SCARCE_KEEP_ALIVE_MILLISECONDS / MILLISECONDS_PER_SECOND}`);
    onceLeftToClient(res, () => bounds.endRequest(connection));
    // Node has begun to wait for the next request when this is emitted.
    res.on('close', () => bounds.waitsForNext(connection));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.prependListener(event, begin);
}

class ConnectionBounds {
  readonly #open: OpenConnections;
  readonly #live = new Set<OpenConnection>();
  readonly #isExempt: (address: string) => boolean;
  readonly #report: ConnectionReport;
  readonly #others: OtherSockets;
  readonly #clock: Clock;

  constructor(private readonly limits: ConnectionLimits, { report, others, clock }: ConnectionPorts) {
    this.#clock = clock;
    this.#open = new OpenConnections(clock);
    this.#report = report;
    this.#others = others;
    this.#isExempt = insideNetworks(limits.exemptNetworks);
  }

  /** `null`: it is closed, or its peer is gone already. */
  open(socket: Socket): OpenConnection | null {
    const address = socket.remoteAddress;
    if (address === undefined) return null;
    const networks = this.#isExempt(address) ? [] : countedNetworksOf(address);
    if (!this.#makeRoom(networks)) {
      socket.destroy();
      return null;
    }
    const connection = this.#open.add(socket, networks);
    this.#live.add(connection);
    this.#report.opened();
    socket.once('close', () => this.#forget(connection));
    return connection;
  }

  beginRequest(connection: OpenConnection): void {
    if (this.#live.has(connection)) this.#open.beginRequest(connection);
  }

  endRequest(connection: OpenConnection): void {
    if (this.#live.has(connection)) this.#open.endRequest(connection);
  }

  waitsForNext(connection: OpenConnection): void {
    if (this.#live.has(connection) && connection.requests === 0 && this.isCrowded(connection)) connection.socket.setTimeout(SCARCE_KEEP_ALIVE_MILLISECONDS);
  }

  /** Whether connections are scarce, in all or of a network of this one. */
  isCrowded({ networks }: OpenConnection): boolean {
    return isScarce(this.#open.count, this.maximum) || networks.some(({ name, times }) => isScarce(this.#open.countOf(name), this.limits.maximumPerAddress * times));
  }

  /** Closes idle connections where they are scarce. Tells whether there is room for one more. */
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

  /** How many connections clients may have beside the sockets to upstreams that are open. */
  get maximum(): number {
    const { maximum, descriptors } = this.limits;
    return Math.min(maximum, shareOf(descriptors, SHARE_OF_DESCRIPTORS) - this.#others.open);
  }

  /** Tells whether one more socket may be opened to an upstream; closes idle connections where that is needed. */
  hasRoomForOther(): boolean {
    const { descriptors } = this.limits;
    const possible = Math.max(1, Math.min(shareOf(descriptors, SHARE_OF_SOCKETS), (descriptors ?? Infinity) - MIN_REST));
    while (this.#open.count + this.#others.open >= possible) {
      const idle = this.#open.longestIdle();
      if (idle === null) return false;
      this.#closeIdle(idle, 'total');
    }
    return true;
  }

  /** Closes an idle connection for a new one. Before the bound is full, one that was opened a moment ago has time to send its request. */
  #giveWay(idle: OpenConnection | null, { bound, isFull }: { readonly bound: ConnectionBound; readonly isFull: boolean }): void {
    if (idle !== null && (isFull || later(idle.idleSince, MIN_IDLE_MILLISECONDS) <= this.#clock.now())) this.#closeIdle(idle, bound);
  }

  #closeIdle(connection: OpenConnection | null, bound: ConnectionBound): void {
    if (connection === null) return;
    this.#report.closedIdle(bound);
    connection.socket.destroy();
    // The event comes later.
    this.#forget(connection);
  }

  #forget(connection: OpenConnection): void {
    if (!this.#live.delete(connection)) return;
    this.#open.remove(connection);
    this.#report.closed();
  }
}

/** No new client is accepted from here on. */
const SHARE_OF_DESCRIPTORS = 0.8;
/** Nor a socket to an upstream opened from here on: the rest, which is not less than `MIN_REST`, is for the database and files. */
const SHARE_OF_SOCKETS = 0.9;
export const MIN_REST = 48;

function shareOf(descriptors: number | null | undefined, share: number): number {
  return descriptors === null || descriptors === undefined ? Infinity : Math.max(1, Math.floor(descriptors * share));
}

/** Where descriptors are scarce, one address gets at most this share of the connections. */
const SHARE_OF_ONE_ADDRESS = 0.5;

/** The bounds that leave enough descriptors for everything else; the given ones where the number of descriptors is unlimited. */
export function withinDescriptors(limits: ConnectionLimits, descriptors: number | null): ConnectionLimits {
  const possible = shareOf(descriptors, SHARE_OF_DESCRIPTORS);
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
