import { isLoopbackName } from '@tollgate/adapters-config';
import { invariant } from '@tollgate/core';
import { type CookieForm, LOOPBACK_COOKIE, SECURE_COOKIE } from '@tollgate/identity';

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
