import { isLoopbackName } from '@tollgate/adapters-config';
import { invariant } from '@tollgate/core';
import { type CookieForm, LOOPBACK_COOKIE, SECURE_COOKIE } from '@tollgate/identity';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

const PORT = /:\d+$/;

/** A host in lower case, with or without a port. */
const PLAIN_HOST = /^[a-z0-9._-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/;

/** The host in lower case, safe to repeat in a reply; `null` if invalid. */
export function plainHostOf(header: string | undefined): string | null {
  const host = header?.toLowerCase() ?? '';
  return PLAIN_HOST.test(host) ? host : null;
}

/** The only source of the origin, the host names and the form of cookies. */
export class PublicAddress {
  #origin: string | null;
  readonly #isConfigured: boolean;
  readonly #hosts: readonly string[];

  /** Without a public URL, the origin is known once the gateway listens. */
  constructor({ publicUrl, hosts }: { readonly publicUrl: string | null; readonly hosts: readonly string[] }) {
    this.#origin = publicUrl;
    this.#isConfigured = publicUrl !== null;
    this.#hosts = hosts;
  }

  /** Determines the origin if none is configured. */
  listensOn(port: number): void {
    this.#origin ??= `http://localhost:${port}`;
  }

  /** Scheme, host and port. */
  get origin(): string {
    invariant(this.#origin !== null, 'requests and mails come after the gateway has begun to listen');
    return this.#origin;
  }

  /** Base address for clients with this `Host`: the configured origin, or the address they used. */
  baseFor(header: string | undefined): string {
    const host = plainHostOf(header);
    return this.#isConfigured || host === null ? this.origin : `http://${host}`;
  }

  /** True if browsers keep session cookies of this origin: over https, or on this machine. */
  get keepsSessions(): boolean {
    const { protocol, hostname } = new URL(this.origin);
    return protocol === 'https:' || isLoopbackName(hostname);
  }

  get cookieForm(): CookieForm {
    return this.#origin?.startsWith('https:') === true ? SECURE_COOKIE : LOOPBACK_COOKIE;
  }

  isOwnHost(header: string | undefined): boolean {
    return this.#ownHostOf(header) !== null;
  }

  /** True if the header names a loopback address with the port of an origin on `localhost`. */
  isAddressOfName(header: string | undefined): boolean {
    const { hostname, port } = new URL(this.origin);
    const address = /^(?:127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(this.#hostOf(header));
    return hostname === 'localhost' && address !== null && (address[1] ?? '') === port && !this.isOwnHost(header);
  }

  isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
    const own = this.#ownHostOf(host);
    return own !== null && origin === `${new URL(this.origin).protocol}//${own}`;
  }

  /** The own host that the header names; `null` if there is none. The port may be missing, because some proxies omit it. */
  #ownHostOf(header: string | undefined): string | null {
    const host = this.#hostOf(header);
    const own = [new URL(this.origin).host, ...this.#hosts.map((name) => this.#hostOf(name))];
    return own.find((name) => name === host) ?? own.find((name) => name.replace(PORT, '') === host) ?? null;
  }

  /** The host in lower case, without the default port, which some proxies add; empty without a header. */
  #hostOf(header: string | undefined): string {
    const host = header?.toLowerCase() ?? '';
    const port = DEFAULT_PORTS[new URL(this.origin).protocol] ?? '';
    return host.endsWith(port) ? host.slice(0, host.length - port.length) : host;
  }
}
