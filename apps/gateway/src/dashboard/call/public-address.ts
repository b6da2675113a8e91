import { isLoopbackName } from '@tollgate/adapters-config';
import { type CookieForm, invariant, LOOPBACK_COOKIE, SECURE_COOKIE } from '@tollgate/core';

/** Where browsers reach the gateway: the one source of origin, host names and the form of the cookie. */
export class PublicAddress {
  #origin: string | null;
  readonly #hosts: readonly string[];

  /** Without an origin it is known once the gateway listens. */
  constructor({ publicUrl, hosts }: { readonly publicUrl: string | null; readonly hosts: readonly string[] }) {
    this.#origin = publicUrl;
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
    if (header === undefined) return false;
    const host = header.toLowerCase();
    return host === new URL(this.origin).host || this.#hosts.includes(host);
  }

  /** Whether a `Host` header is an address of this machine at which the dashboard has the name `localhost`. */
  isAddressOfName(header: string | undefined): boolean {
    const { hostname, port } = new URL(this.origin);
    const address = /^(?:127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(header ?? '');
    return hostname === 'localhost' && address !== null && (address[1] ?? '') === port && !this.isOwnHost(header);
  }

  /** Whether an `Origin` header is that of the page at this `Host`. */
  isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
    return this.isOwnHost(host) && origin === `${new URL(this.origin).protocol}//${host?.toLowerCase() ?? ''}`;
  }
}
