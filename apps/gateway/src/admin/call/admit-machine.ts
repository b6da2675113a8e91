import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError, RefusedMachine } from '@tollgate/core';
import type { AdminRoute } from '@tollgate/api-contract';
import type { MachineAuthentication } from '@tollgate/identity';
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

async function authenticationOf({ req: { headers }, clientAddress: address }: HttpExchange, { machines, clock }: AdminPorts): Promise<MachineAuthentication> {
  if (headers['x-api-key'] !== undefined) return { outcome: 'refused', reason: 'the x-api-key header was sent', machineId: null };
  return machines.authenticate({ text: secretIn(headers), address }, clock.now());
}

/**
 * Authenticates the machine and applies its rate limit. A refused request counts against another limit of the machine, so that it cannot block the
 * people of its network; if the secret belongs to no machine, it counts against the network's limit.
 */
export function admitMachine(ports: AdminPorts): RequestHandler {
  return async (_req, res, next) => {
    const exchange = exchangeOf(res);
    const authentication = await authenticationOf(exchange, ports);
    if (authentication.outcome === 'refused') {
      const { machineId, reason } = authentication;
      if (machineId === null) ports.unbilled.countStranger(exchange);
      else exchange.claim(ports.unbilled.countRefusedMachine(machineId));
      throw unauthenticated(reason);
    }
    const { machine } = authentication;
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
