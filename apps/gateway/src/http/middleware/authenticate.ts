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

/** Error codes of refusals that take precedence over 404. */
const ALWAYS_REFUSED: ReadonlySet<ErrorCode> = new Set(['rate_limit_exceeded', 'service_unavailable']);

/** Returns the caller, before the body is read. Counts requests without a valid key by network. Throws the refusal. */
export async function authenticate(exchange: HttpExchange, { authenticator, unbilled }: AuthenticationPorts): Promise<Caller> {
  try {
    return await authenticator.authenticate(readCredential(exchange.req.headers));
  } catch (refusal) {
    if (refusal instanceof GatewayError) exchange.identifyRefused(refusal.accountId);
    // While the store is unavailable, the validity of the key is unknown.
    if (refusal instanceof GatewayError && refusal.code !== 'service_unavailable') unbilled.countStranger(exchange);
    throw refusal;
  }
}

/** Counts a request to an unknown address by account or network, even if its key is invalid. */
export function countUnanswerable(ports: AuthenticationPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const caller = await authenticate(exchange, ports).catch((refusal: unknown) => {
      if (refusal instanceof GatewayError && !ALWAYS_REFUSED.has(refusal.code)) return null;
      throw refusal;
    });
    if (caller !== null) exchange.claim(ports.unbilled.askAccount(caller));
    next();
  };
}
