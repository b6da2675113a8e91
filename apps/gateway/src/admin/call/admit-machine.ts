import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError, RefusedMachine } from '@tollgate/core';
import type { AdminRoute } from '@tollgate/api-contract';
import type { Machine } from '@tollgate/identity';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../../http/middleware/answer.js';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { AdminPorts } from './admin-ports.js';
import { machineOf, putMachine } from './admin-call.js';

const BEARER = /^bearer +(\S+) *$/i;

/** The same reply for every reason, so that it reveals nothing about machines. */
function unauthenticated(reason: string): GatewayError {
  return new GatewayError('invalid_api_key', 'Send the valid secret of a machine as "Authorization: Bearer tgm_...". API keys and sessions are not accepted here.', { cause: new RefusedMachine(reason) });
}

function secretIn({ authorization }: IncomingHttpHeaders): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}

async function authenticate(exchange: HttpExchange, { machines, clock }: AdminPorts): Promise<Machine> {
  if (exchange.req.headers['x-api-key'] !== undefined) throw unauthenticated('the x-api-key header was sent');
  const authentication = await machines.authenticate({ text: secretIn(exchange.req.headers), address: exchange.clientAddress }, clock.now());
  if (authentication.outcome === 'refused') throw unauthenticated(authentication.reason);
  return authentication.machine;
}

/** Authenticates the machine and applies its rate limit. Requests without a valid secret count against the limit of their network. */
export function admitMachine(ports: AdminPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const machine = await authenticate(exchange, ports).catch((refusal: unknown) => {
      if (refusal instanceof GatewayError && refusal.code === 'invalid_api_key') ports.unbilled.countStranger(exchange);
      throw refusal;
    });
    exchange.identifyMachine(machine.id);
    putMachine(res, machine);
    exchange.claim(ports.unbilled.countMachine(machine.id));
    next();
  };
}

/** Throws `scope_missing`. */
export function checkScope({ access }: AdminRoute): RequestHandler {
  return (_req, res, next) => {
    if (access !== 'any' && !machineOf(res).scopes.includes(access)) throw new GatewayError('scope_missing', `This machine does not have the scope ${access}.`);
    next();
  };
}
