/** Requests that one load process sends over a number of connections. */
export interface HttpLoad {
  readonly kind: 'http';
  readonly connections: number;
  /** Over all connections; `null` sends the next request as soon as the last one is answered. */
  readonly requestsPerSecond: number | null;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. `{number}` in it, and in the headers, is another number in each request. */
  readonly body: string;
}

/** Connections that send something unreadable or half a request and keep their side open for ever. */
export interface HalfOpenLoad {
  readonly kind: 'half-open';
  readonly connections: number;
}

export type Load = HttpLoad | HalfOpenLoad;

/** What an attack aims with: the keys of the two customers, of which the attacker's pays as it goes, so that its limits are the lowest. */
export interface Customers {
  readonly attackerKey: string;
  readonly victimKey: string;
}

export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Descriptors that the gateway's process may open; `null` leaves the machine's own limit. */
  readonly descriptorLimit: number | null;
  /** What the attacker aims at for comparison: a server that refuses at once, or one that hashes as many passwords as the gateway does. */
  readonly reference: 'refusing' | 'hashing';
  /** The other customer's p99 stays below so many times what it is beside that server. */
  readonly highestRatio: number;
  /** Settings of the gateway besides those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  readonly load: (customers: Customers, port: number) => Load;
}
