import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { formatAddress, formatNetwork, invariant, type Network, networkMatcher, networkOf, parseAddress, parseNetwork } from '@tollgate/core';
import { type CookieForm, LOOPBACK_COOKIE, SECURE_COOKIE } from '@tollgate/identity';
import { isLoopbackName } from '@tollgate/adapters-config';

/** The part of an IPv6 address that one customer usually has to itself. */
const PEER_PREFIX = 64;

/** What connections are counted by: an IPv4 address, or the /64 network of an IPv6 address, whose owner can use any address in it. */
export function peerNetworkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return parsed.width === 32 ? formatAddress(parsed) : formatNetwork(networkOf(parsed, PEER_PREFIX));
}

/** Tells whether an address is inside one of some networks, written as addresses or CIDR ranges. */
export function insideNetworks(texts: readonly string[]): (address: string) => boolean {
  return networkMatcher(texts.map(networkOfText), 'outside');
}

/** Loopback, link-local, RFC 1918, shared address space of carriers (RFC 6598), unique local. */
const PRIVATE_NETWORKS = ['127.0.0.0/8', '169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '::1', 'fe80::/10', 'fc00::/7'];

/** Tells whether an address is of a network that is not reached from the internet. A text that is no address is not. */
export const isPrivateAddress = insideNetworks(PRIVATE_NETWORKS);

function networkOfText(text: string): Network {
  const network = parseNetwork(text);
  invariant(network !== null, 'the caller has checked that the text is a network');
  return network;
}

/** Tells the address of the client that sent a request; empty when it is not known. */
type ClientAddress = (req: IncomingMessage) => string;

/** An IPv4 address with a port, or an address in brackets with or without one. */
const WITH_PORT = /^(?:([^[\]:]+):\d+|\[([^[\]]+)\](?::\d+)?)$/;
const QUOTES = /^"(.*)"$/;

/** No chain of proxies is longer; comparing an address with the trusted networks takes microseconds. */
const MAXIMUM_PROXIES = 32;

/** The address in one entry of `X-Forwarded-For`, which some proxies write with a port, in brackets or in quotes; `null` when there is none. */
function readEntry(entry: string): string | null {
  const text = QUOTES.exec(entry)?.[1] ?? entry;
  const match = WITH_PORT.exec(text);
  const address = match === null ? text : match[1] ?? match[2] ?? '';
  return isIP(address) === 0 ? null : address;
}

function entriesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : '';
  return text.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/**
 * The client's address is that of the connection, unless this is a trusted proxy: then it is the last entry of `X-Forwarded-For`
 * that is not a trusted proxy itself. An entry that cannot be read makes the address unknown, since what stands before it proves
 * nothing, and so does a chain of more than 32 proxies.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = (req) => req.socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return ofConnection;
  const isTrusted = insideNetworks(trustedProxies);
  return (req) => {
    let address = ofConnection(req);
    const entries = entriesOf(req.headers['x-forwarded-for']).toReversed();
    for (const [position, entry] of entries.entries()) {
      if (!isTrusted(address)) return address;
      const named = readEntry(entry);
      if (named === null || position === MAXIMUM_PROXIES) return '';
      address = named;
    }
    return address;
  };
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

const PORT = /:\d+$/;

/** A host name or address with or without a port, in lower case. */
const PLAIN_HOST = /^[a-z0-9._-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/;

/** A `Host` header in lower case that may be repeated in a reply; `null` for one that is no host. */
export function plainHostOf(header: string | undefined): string | null {
  const host = header?.toLowerCase() ?? '';
  return PLAIN_HOST.test(host) ? host : null;
}

/** Where browsers reach the gateway: the one source of origin, host names and the form of the cookie. */
export class PublicAddress {
  #origin: string | null;
  readonly #isConfigured: boolean;
  readonly #hosts: readonly string[];

  /** Without an origin it is known once the gateway listens. */
  constructor({ publicUrl, hosts }: { readonly publicUrl: string | null; readonly hosts: readonly string[] }) {
    this.#origin = publicUrl;
    this.#isConfigured = publicUrl !== null;
    this.#hosts = hosts;
  }

  /** The gateway listens on this port. Sets the origin where none is set. */
  listensOn(port: number): void {
    this.#origin ??= `http://localhost:${port}`;
  }

  /** Scheme, host and port, without a path. */
  get origin(): string {
    invariant(this.#origin !== null, 'requests and mails come after the gateway has begun to listen');
    return this.#origin;
  }

  /** Where a client that sent this `Host` header reaches the API: the origin where one is set, else the address that it used. */
  baseFor(header: string | undefined): string {
    const host = plainHostOf(header);
    return this.#isConfigured || host === null ? this.origin : `http://${host}`;
  }

  /** Whether browsers keep a session there: over https, or on this machine. */
  get keepsSessions(): boolean {
    const { protocol, hostname } = new URL(this.origin);
    return protocol === 'https:' || isLoopbackName(hostname);
  }

  get cookieForm(): CookieForm {
    return this.#origin?.startsWith('https:') === true ? SECURE_COOKIE : LOOPBACK_COOKIE;
  }

  /** Whether a `Host` header names the dashboard. */
  isOwnHost(header: string | undefined): boolean {
    return this.#ownHostOf(header) !== null;
  }

  /** Whether a `Host` header is an address of this machine at which the dashboard has the name `localhost`. */
  isAddressOfName(header: string | undefined): boolean {
    const { hostname, port } = new URL(this.origin);
    const address = /^(?:127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(this.#hostOf(header));
    return hostname === 'localhost' && address !== null && (address[1] ?? '') === port && !this.isOwnHost(header);
  }

  /** Whether an `Origin` header is that of the page at this `Host`. */
  isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
    const own = this.#ownHostOf(host);
    return own !== null && origin === `${new URL(this.origin).protocol}//${own}`;
  }

  /** The name of the dashboard that a `Host` header stands for: the same, or the same without its port, which some proxies leave out. */
  #ownHostOf(header: string | undefined): string | null {
    const host = this.#hostOf(header);
    const own = [new URL(this.origin).host, ...this.#hosts.map((name) => this.#hostOf(name))];
    return own.find((name) => name === host) ?? own.find((name) => name.replace(PORT, '') === host) ?? null;
  }

  /** As a URL names it: in lower case, and without the default port, which some proxies add. Empty for no header. */
  #hostOf(header: string | undefined): string {
    const host = header?.toLowerCase() ?? '';
    const port = DEFAULT_PORTS[new URL(this.origin).protocol] ?? '';
    return host.endsWith(port) ? host.slice(0, host.length - port.length) : host;
  }
}
