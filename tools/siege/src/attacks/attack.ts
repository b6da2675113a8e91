import type { HttpLoad, Load } from '../loads/load.js';
import type { Target } from '../installation/target.js';

/** The loads of the attackers, and the load of another customer. */
export interface Arms {
  /** Loads, each from a process of its own. If there are two gateways, each of them is attacked by all loads at the same time. */
  readonly attackers: readonly Load[];
  readonly victim: HttpLoad;
}

/**
 * Which comparison server is attacked too: one that refuses at once, one that reads bodies to their end, or one that hashes as many passwords as the
 * gateway.
 */
export type Reference = 'refusing' | 'reading' | 'hashing';

/** One gateway on SQLite, or two on PostgreSQL and Redis. */
export type Ground = 'sqlite' | 'shared';

export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Maximum number of descriptors that the gateway may open; `null` for the system's limit. */
  readonly descriptorLimit: number | null;
  readonly reference: Reference;
  /** Maximum p99 of the other customer, as a multiple of its p99 while the comparison server is attacked. */
  readonly highestRatio: number;
  /** True if the gateway refuses the attack's connections, which then must not occupy descriptors. */
  readonly refusesConnections: boolean;
  /** Maximum number of the attackers' requests per minute that get another status than 429; `null` for no goal. */
  readonly mostUnlimited: number | null;
  /** Environment variables in addition to those of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  readonly grounds: readonly Ground[];
  readonly arm: (target: Target) => Promise<Arms>;
}

/** Completes an attack with defaults: one gateway on SQLite, compared with a server that refuses at once. */
export function attack(own: Pick<Attack, 'id' | 'title' | 'arm'> & Partial<Attack>): Attack {
  return { descriptorLimit: null, reference: 'refusing', highestRatio: 3, refusesConnections: false, mostUnlimited: null, environment: {}, grounds: ['sqlite'], ...own };
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const;
/** Settings for clients behind a proxy on the loopback interface; each request may state another network. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.0/8' } as const;

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** A load; by default, without a rate limit and without keys. */
export function requests(own: Pick<HttpLoad, 'method' | 'path' | 'headers' | 'connections'> & Partial<HttpLoad>): HttpLoad {
  return { kind: 'http', requestsPerSecond: null, bodies: [], keys: [], reconnects: false, ...own };
}
