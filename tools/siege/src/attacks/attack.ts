import type { HttpLoad, Load } from '../loads/load.js';
import type { Target } from '../installation/target.js';

/** The load of the attackers and of the other customer. */
export interface Arms {
  /** One process each; two gateways receive them in turns. */
  readonly attackers: readonly Load[];
  readonly victim: HttpLoad;
}

/** Comparison server: refuses at once, reads bodies to their end, or hashes as many passwords as the gateway does. */
export type Reference = 'refusing' | 'reading' | 'hashing';

/** One gateway on SQLite, or two on PostgreSQL and Redis. */
export type Ground = 'sqlite' | 'shared';

export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Maximum number of descriptors of the gateway; `null` keeps the system's. */
  readonly descriptorLimit: number | null;
  readonly reference: Reference;
  /** Maximum p99 of the other customer, as a multiple of its p99 beside the comparison server. */
  readonly highestRatio: number;
  /** True if connections are refused, which must not hold descriptors. */
  readonly refusesConnections: boolean;
  /** Maximum of the attacker's requests per minute that are not answered with 429; `null` for no goal. */
  readonly mostUnlimited: number | null;
  /** Added to the settings of every siege. */
  readonly environment: Readonly<Record<string, string>>;
  readonly grounds: readonly Ground[];
  readonly arm: (target: Target) => Promise<Arms>;
}

/** Defaults: attacks models, compared with a server that refuses at once. */
export function attack(own: Pick<Attack, 'id' | 'title' | 'arm'> & Partial<Attack>): Attack {
  return { descriptorLimit: null, reference: 'refusing', highestRatio: 3, refusesConnections: false, mostUnlimited: null, environment: {}, grounds: ['sqlite'], ...own };
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const;
/** Clients behind a loopback proxy; each request may come from another network. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.0/8' } as const;

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** A load without rate limit and keys. */
export function requests(own: Pick<HttpLoad, 'method' | 'path' | 'headers' | 'connections'> & Partial<HttpLoad>): HttpLoad {
  return { kind: 'http', requestsPerSecond: null, bodies: [], keys: [], reconnects: false, ...own };
}
