import {
  type AccountId, type Caller, type Clock, countedNetworksOf, HEAVY_UNITS, type PersonId, type Plan, type SharedCounter, type UnbilledBound, type UnbilledClaim,
  UnbilledWork,
} from '@tollgate/core';
import type { Logger } from 'pino';
import { isPrivateAddress } from './peer-network.js';
import type { HttpExchange } from './http-exchange.js';

interface UnbilledLimitsPorts {
  readonly clock: Clock;
  /** `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
  readonly log: Logger;
}

interface UnbilledLimitsSettings {
  /** Units a minute; 0 is no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  readonly trustedProxies: readonly string[];
}

const ACCOUNT_MESSAGE = 'Too many unbilled requests per minute from this account: refused requests, reads and replayed responses.';
const PERSON_MESSAGE = 'Too many requests per minute to the dashboard.';
const ADDRESS_MESSAGE = 'Too many requests per minute without a valid API key from this network.';

/** A proxy stands for many clients; its address may take this many times the units of a client's. */
export const PROXY_FACTOR = 10;

/** Limits what is not billed: of an account, of a person who uses the dashboard, and of networks from which requests come without a valid key. */
export class UnbilledLimits {
  readonly #accounts: UnbilledWork;
  readonly #people: UnbilledWork;
  readonly #networks: UnbilledWork;
  readonly #trustsProxies: boolean;
  #hasWarned = false;

  constructor(private readonly ports: UnbilledLimitsPorts, private readonly settings: UnbilledLimitsSettings) {
    this.#accounts = new UnbilledWork(ports, ACCOUNT_MESSAGE);
    this.#people = new UnbilledWork(ports, PERSON_MESSAGE);
    this.#networks = new UnbilledWork(ports, ADDRESS_MESSAGE);
    this.#trustsProxies = settings.trustedProxies.length > 0;
  }

  /** Throws `rate_limit_exceeded` when the account has used up its units. All keys of an account share them. */
  askAccount({ account, plan }: Pick<Caller, 'account' | 'plan'>): UnbilledClaim {
    // A client that is refused at the pace of its plan is told about its plan.
    const bound = this.#boundOf(account.id, plan.limits.requestsPerMinute);
    return this.#accounts.ask([bound], plan.limits.concurrentRequests);
  }

  /** Throws `rate_limit_exceeded` when the person has used up as many units as an account may. */
  askPerson(id: PersonId): UnbilledClaim {
    return this.#people.count([this.#boundOf(id)]);
  }

  /** The same for a request that may yet be admitted by the plan, and is given back then. */
  askGenerationOf(id: PersonId, { limits }: Plan): UnbilledClaim {
    return this.#people.ask([this.#boundOf(id)], limits.concurrentRequests);
  }

  /** Counts a request without a valid key or session. Throws `rate_limit_exceeded` when one of its networks has used up its units. */
  countStranger(exchange: HttpExchange): void {
    const { clientAddress, req: { socket } } = exchange;
    const isProxy = clientAddress === '' || this.#isUndeclaredProxy(exchange);
    const address = clientAddress === '' ? socket.remoteAddress ?? '' : clientAddress;
    if (address !== '') exchange.claim(this.#networks.count(this.#boundsOf(address, isProxy ? PROXY_FACTOR : 1)));
  }

  #boundOf(name: AccountId | PersonId, atLeast = 0): UnbilledBound {
    const { unbilledPerMinuteAccount: units } = this.settings;
    return { name, unitsPerMinute: units === 0 ? 0 : Math.max(units, atLeast), heavyUnits: HEAVY_UNITS };
  }

  #boundsOf(address: string, factor: number): readonly UnbilledBound[] {
    return countedNetworksOf(address).map(({ name, times }) => ({
      name: `address ${name}`, unitsPerMinute: this.settings.unbilledPerMinuteAddress * times * factor, heavyUnits: HEAVY_UNITS * times * factor,
    }));
  }

  /** Anyone can write the headers, so they count only in a network that strangers cannot call from. */
  #isUndeclaredProxy({ req: { headers, socket } }: HttpExchange): boolean {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
    if (!isForwarded || this.#trustsProxies || !isPrivateAddress(socket.remoteAddress ?? '')) return false;
    this.#warnOnce();
    return true;
  }

  #warnOnce(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.ports.log.warn(
      `requests come through a proxy and TRUST_PROXY is off: all its clients share ${PROXY_FACTOR} times UNBILLED_PER_MINUTE_ADDRESS, and all people share one limit of sign-in attempts`,
    );
  }
}
