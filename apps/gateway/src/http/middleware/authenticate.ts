import type { IncomingHttpHeaders } from 'node:http';
import {
  type Authenticator, type Caller, checkPlatform as checkPlatformOf, type Clock, type ErrorCode, GatewayError, type PersonId, type Plan,
  type PlatformState, type SharedCounter, type UnbilledClaim, UnbilledWork,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { RequestHandler } from 'express';
import type { HttpExchange } from '../http-exchange.js';
import { peerNetworkOf } from '../addresses.js';
import { exchangeOf } from './request-context.js';

interface UnbilledLimitsPorts {
  readonly clock: Clock;
  /** `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
  readonly log: Logger;
}

interface UnbilledLimitsSettings {
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

const BEARER_PATTERN = /^bearer(?: +(.*))?$/is;

function ofAuthorization(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const match = BEARER_PATTERN.exec(header);
  if (match === null) {
    throw new GatewayError('invalid_api_key', 'The Authorization header must have the form "Bearer sk-...".');
  }
  const key = (match[1] ?? '').trim();
  return key === '' ? null : key;
}

function ofKeyHeader(header: string | readonly string[] | undefined): string | null {
  const key = typeof header === 'string' ? header.trim() : '';
  return key === '' ? null : key;
}

/** The key a client sent, in either header; `null` when it sent none. Two different keys name two callers, so neither is served. */
export function readCredential(headers: IncomingHttpHeaders): string | null {
  const bearer = ofAuthorization(headers.authorization);
  const direct = ofKeyHeader(headers['x-api-key']);
  if (bearer !== null && direct !== null && bearer !== direct) {
    throw new GatewayError('invalid_api_key', 'The Authorization and x-api-key headers carry different keys.');
  }
  return bearer ?? direct;
}

export interface AuthenticationPorts {
  readonly authenticator: Authenticator;
  readonly unbilled: UnbilledLimits;
}

/** Refusals that also an address without an endpoint answers with. */
const ALWAYS_REFUSED: ReadonlySet<ErrorCode> = new Set(['rate_limit_exceeded', 'service_unavailable']);

/** Counts a request without a valid key for its address. Throws the refusal of the key or of the address. */
async function callerOf(exchange: HttpExchange, { authenticator, unbilled }: AuthenticationPorts): Promise<Caller> {
  try {
    return await authenticator.authenticate(readCredential(exchange.req.headers));
  } catch (refusal) {
    if (refusal instanceof GatewayError) exchange.identifyRefused(refusal.accountId);
    // While the store is away, it is not known whether the key is valid.
    if (refusal instanceof GatewayError && refusal.code !== 'service_unavailable') unbilled.countStranger(exchange);
    throw refusal;
  }
}

/** Identifies the caller by its key before the body is read, and refuses a key that has used up its units of unbilled work. */
export function authenticate(ports: AuthenticationPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const caller = await callerOf(exchange, ports);
    exchange.identify(caller);
    exchange.claim(ports.unbilled.askKey(caller));
    next();
  };
}

/** Counts a request to an address that has no endpoint for its key or its address. The key need not be valid. */
export function countUnanswerable(ports: AuthenticationPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const caller = await callerOf(exchange, ports).catch((refusal: unknown) => {
      if (refusal instanceof GatewayError && !ALWAYS_REFUSED.has(refusal.code)) return null;
      throw refusal;
    });
    if (caller !== null) exchange.claim(ports.unbilled.askKey(caller));
    next();
  };
}

export interface PlatformPorts {
  readonly platform: PlatformState;
  readonly clock: Clock;
}

/** Refuses requests during maintenance and from blocked networks. Needs no key. */
export function checkPlatform({ platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    checkPlatformOf(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}
