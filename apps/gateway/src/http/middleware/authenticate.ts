import { type Authenticator, type Caller, type ErrorCode, GatewayError } from '@tollgate/core';
import type { RequestHandler } from 'express';
import type { HttpExchange } from '../http-exchange.js';
import type { UnbilledLimits } from '../unbilled-limits.js';
import { exchangeOf } from './answer.js';
import { readCredential } from './credentials.js';

export interface AuthenticationPorts {
  readonly authenticator: Authenticator;
  readonly unbilled: UnbilledLimits;
}

/** Refusals that also an address without an endpoint answers with. */
const ALWAYS_REFUSED: ReadonlySet<ErrorCode> = new Set(['rate_limit_exceeded', 'service_unavailable']);

/** Counts a request without a valid key for its network. Throws the refusal of the key or of the network. */
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

/** Identifies the caller by its key before the body is read, and refuses an account that has used up its units of unbilled work. */
export function authenticate(ports: AuthenticationPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const caller = await callerOf(exchange, ports);
    exchange.identify(caller);
    exchange.claim(ports.unbilled.askAccount(caller));
    next();
  };
}

/** Counts a request to an address that has no endpoint for its account or its network. The key need not be valid. */
export function countUnanswerable(ports: AuthenticationPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const caller = await callerOf(exchange, ports).catch((refusal: unknown) => {
      if (refusal instanceof GatewayError && !ALWAYS_REFUSED.has(refusal.code)) return null;
      throw refusal;
    });
    if (caller !== null) exchange.claim(ports.unbilled.askAccount(caller));
    next();
  };
}
