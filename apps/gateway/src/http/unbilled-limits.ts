import { type Caller, type Clock, type PersonId, type Plan, type SharedCounter, type UnbilledClaim, UnbilledWork } from '@tollgate/core';
import type { Logger } from 'pino';
import type { HttpExchange } from './http-exchange.js';
import { peerNetworkOf } from './client-address.js';

export interface UnbilledLimitsPorts {
  readonly clock: Clock;
  /** `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
  readonly log: Logger;
}

export interface UnbilledLimitsSettings {
  /** Units a minute; 0 is no limit. */
  readonly unbilledPerMinuteKey: number;
  readonly unbilledPerMinuteAddress: number;
  readonly trustedProxies: readonly string[];
}

const KEY_MESSAGE = 'Too many requests a minute with this API key that were not billed: refused requests, reads and repeated replies.';
const PERSON_MESSAGE = 'Too many requests a minute to the dashboard.';
const ADDRESS_MESSAGE = 'Too many requests a minute without a valid API key from this address.';

/** Limits what is not billed: of a key, and of an address from which requests come without a valid key. */
export class UnbilledLimits {
  readonly #keys: UnbilledWork;
  readonly #people: UnbilledWork;
  readonly #addresses: UnbilledWork;
  readonly #trustsProxies: boolean;
  #hasWarned = false;

  constructor(private readonly ports: UnbilledLimitsPorts, settings: UnbilledLimitsSettings) {
    this.#keys = new UnbilledWork(ports, { unitsPerMinute: settings.unbilledPerMinuteKey, message: KEY_MESSAGE });
    this.#people = new UnbilledWork(ports, { unitsPerMinute: settings.unbilledPerMinuteKey, message: PERSON_MESSAGE });
    this.#addresses = new UnbilledWork(ports, { unitsPerMinute: settings.unbilledPerMinuteAddress, message: ADDRESS_MESSAGE });
    this.#trustsProxies = settings.trustedProxies.length > 0;
  }

  /** Throws `rate_limit_exceeded` when the key has used up its units. */
  askKey({ keyId, plan }: Caller): UnbilledClaim {
    return this.#keys.ask(keyId, plan.limits.concurrentRequests);
  }

  /** Throws `rate_limit_exceeded` when the person has used up as many units as a key may. */
  askPerson(id: PersonId): UnbilledClaim {
    return this.#people.count(id);
  }

  /** The same for a request that may yet be admitted by the plan, and is given back then. */
  askGenerationOf(id: PersonId, { limits }: Plan): UnbilledClaim {
    return this.#people.ask(id, limits.concurrentRequests);
  }

  /** Counts a request without a valid key or session. Throws `rate_limit_exceeded` when its address has used up its units. */
  countStranger(exchange: HttpExchange): void {
    const { req: { headers }, clientAddress } = exchange;
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
    if (isForwarded && !this.#trustsProxies) this.#warnOnce();
    else if (clientAddress !== '') exchange.claim(this.#addresses.count(`address ${peerNetworkOf(clientAddress)}`));
  }

  /** All clients behind a proxy that is not trusted have its address, and would share one limit. */
  #warnOnce(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.ports.log.warn('requests come through a proxy and TRUST_PROXY is off: UNBILLED_PER_MINUTE_ADDRESS does not apply to them, and all people share one limit of sign-in attempts');
  }
}
