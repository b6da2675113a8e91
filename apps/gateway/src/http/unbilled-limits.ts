import {
  type AccountId, type Caller, type Clock, countedNetworksOf, HEAVY_UNITS, type MachineId, type PersonId, type Plan, type SharedCounter, type UnbilledBound, type UnbilledClaim,
  UnbilledWork,
} from '@tollgate/core';
import { MACHINE_REQUESTS_PER_MINUTE } from '@tollgate/identity';
import type { Logger } from 'pino';
import { isPrivateAddress } from './inside-networks.js';
import type { HttpExchange } from './http-exchange.js';

interface UnbilledLimitsPorts {
  readonly clock: Clock;
  /** `null` without Redis. */
  readonly shared: SharedCounter | null;
  readonly log: Logger;
}

interface UnbilledLimitsSettings {
  /** Maximum units of unbilled work per minute of an account; 0 for no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  readonly trustedProxies: readonly string[];
}

const ACCOUNT_MESSAGE = 'Too many unbilled requests per minute from this account: refused requests, reads and replayed responses.';
const PERSON_MESSAGE = 'Too many requests per minute to the dashboard.';
const MACHINE_MESSAGE = 'Too many requests per minute from this machine.';
const REFUSED_MACHINE_MESSAGE = 'Too many refused requests per minute from this machine.';
const ADDRESS_MESSAGE = 'Too many requests per minute without a valid API key from this network.';

/** Factor for proxies, which stand for many clients. */
export const PROXY_FACTOR = 10;

/** Limits unbilled requests of accounts, of people on the dashboard, and of networks without a valid key, and all requests of machines. */
export class UnbilledLimits {
  readonly #accounts: UnbilledWork;
  readonly #people: UnbilledWork;
  readonly #machines: UnbilledWork;
  readonly #refusedMachines: UnbilledWork;
  readonly #networks: UnbilledWork;
  readonly #trustsProxies: boolean;
  #hasWarned = false;

  constructor(private readonly ports: UnbilledLimitsPorts, private readonly settings: UnbilledLimitsSettings) {
    this.#accounts = new UnbilledWork(ports, ACCOUNT_MESSAGE);
    this.#people = new UnbilledWork(ports, PERSON_MESSAGE);
    this.#machines = new UnbilledWork(ports, MACHINE_MESSAGE);
    this.#refusedMachines = new UnbilledWork(ports, REFUSED_MACHINE_MESSAGE);
    this.#networks = new UnbilledWork(ports, ADDRESS_MESSAGE);
    this.#trustsProxies = settings.trustedProxies.length > 0;
  }

  /** Counts a request for an account, whose keys share its units. Throws `rate_limit_exceeded` beyond these units. */
  askAccount({ account, plan }: Pick<Caller, 'account' | 'plan'>): UnbilledClaim {
    // At least the plan's rate: a client that exceeds the rate gets the error of its plan.
    const bound = this.#boundOf(account.id, plan.limits.requestsPerMinute);
    return this.#accounts.ask([bound], plan.limits.concurrentRequests);
  }

  /** Counts a request for a person. Throws `rate_limit_exceeded` beyond the units of an account. */
  askPerson(id: PersonId): UnbilledClaim {
    return this.#people.count([this.#boundOf(id)]);
  }

  /** Counts a generation for a person. Throws as `askPerson` does. If the plan admits the generation, its units are returned. */
  askGenerationOf(id: PersonId, { limits }: Plan): UnbilledClaim {
    return this.#people.ask([this.#boundOf(id)], limits.concurrentRequests);
  }

  /** Counts a request of a machine. Throws `rate_limit_exceeded` once it has used up its requests of this minute. */
  countMachine(id: MachineId): UnbilledClaim {
    return this.#machines.count([{ name: `machine ${id}`, unitsPerMinute: MACHINE_REQUESTS_PER_MINUTE, heavyUnits: MACHINE_REQUESTS_PER_MINUTE }]);
  }

  /**
   * Counts a request that bears the secret of a machine and is refused, apart from its admitted requests, because others may have its secret. Throws
   * `rate_limit_exceeded` beyond the units of a network.
   */
  countRefusedMachine(id: MachineId): UnbilledClaim {
    return this.#refusedMachines.count([{ name: `refused machine ${id}`, unitsPerMinute: this.settings.unbilledPerMinuteAddress, heavyUnits: HEAVY_UNITS }]);
  }

  /** Counts a request without a valid key by network. Throws `rate_limit_exceeded` beyond the units of one of its networks. */
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

  /** Forwarding headers are believed from private networks only, because anyone can send them. */
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
      `requests come through a proxy, and TRUST_PROXY is off: all clients of the proxy count as one address, with ${PROXY_FACTOR} times the limit UNBILLED_PER_MINUTE_ADDRESS and one shared limit of sign-in attempts`,
    );
  }
}
