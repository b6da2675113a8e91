import type { HttpLoad, Load } from '../loads/load.js';
import type { Target } from '../installation/target.js';

/** What an attack sends, and what the other customer sends meanwhile. */
export interface Arms {
  /** One process each. With two gateways each is sent to both in turns. */
  readonly attackers: readonly Load[];
  readonly victim: HttpLoad;
}

/** What the attacker aims at for comparison: a server that refuses at once, one that reads bodies to their end, or one that hashes as many passwords as the gateway does. */
export type Reference = 'refusing' | 'reading' | 'hashing';

/** On what the gateways keep their state: one gateway on SQLite, or two on PostgreSQL and Redis. */
export type Ground = 'sqlite' | 'shared';

export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Descriptors that the gateway's process may open; `null` leaves the machine's own limit. */
  readonly descriptorLimit: number | null;
  readonly reference: Reference;
  /** The other customer's p99 stays below so many times what it is beside that server. */
  readonly highestRatio: number;
  /** Whether the attack is of connections that are refused, which must not hold descriptors. */
  readonly refusesConnections: boolean;
  /** How many requests of the attacker at most are answered in a minute with anything but 429; `null` where this is not the point. */
  readonly mostUnlimited: number | null;
  /** Settings of the gateway besides those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  readonly grounds: readonly Ground[];
  /** Prepares the gateway, and says what is sent. */
  readonly arm: (target: Target) => Promise<Arms>;
}

/** An attack with the terms of most: models are attacked, the reference refuses at once. */
export function attack(own: Pick<Attack, 'id' | 'title' | 'arm'> & Partial<Attack>): Attack {
  return { descriptorLimit: null, reference: 'refusing', highestRatio: 3, refusesConnections: false, mostUnlimited: null, environment: {}, grounds: ['sqlite'], ...own };
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const;
/** Clients of a proxy on this machine; each request may come from another network. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.0/8' } as const;

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** As fast as the connections allow, with no keys to put in. */
export function requests(own: Pick<HttpLoad, 'method' | 'path' | 'headers' | 'connections'> & Partial<HttpLoad>): HttpLoad {
  return { kind: 'http', requestsPerSecond: null, bodies: [], keys: [], reconnects: false, ...own };
}
