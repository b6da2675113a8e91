import type { Request, Response, Router } from 'express';
import { GatewayError } from '@tollgate/core';
import type { CallerGate } from './caller-gate.js';
import type { Endpoint } from './endpoint.js';
import { exchangeOf } from './open-exchange.js';

/** Every GET also answers HEAD, with the same headers and no body. */
function allowedMethods(endpoints: readonly Endpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
}

function handlerOf(endpoint: Endpoint, gate: CallerGate) {
  return (_req: Request, res: Response): Promise<void> => {
    const exchange = exchangeOf(res);
    exchange.reach(endpoint.path);
    if (endpoint.statesQuota) exchange.stateQuota();
    return exchange.work(async () => endpoint.handle(exchange, await gate.admit(exchange)));
  };
}

function refuseOtherMethods(allowed: string, gate: CallerGate) {
  return (_req: Request, res: Response): void => {
    const exchange = exchangeOf(res);
    gate.checkPlatform(exchange);
    exchange.addHeaders({ allow: allowed });
    throw new GatewayError('method_not_allowed', `This address answers only ${allowed}.`);
  };
}

function byPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const groups = new Map<string, readonly Endpoint[]>();
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint]);
  return groups;
}

/** Adds endpoints to a router. The methods a path has no endpoint for are refused by name. */
export function mountEndpoints(router: Router, endpoints: readonly Endpoint[], gate: CallerGate): void {
  for (const [path, ofPath] of byPath(endpoints)) {
    const route = router.route(path);
    for (const endpoint of ofPath) route[endpoint.method](handlerOf(endpoint, gate));
    route.all(refuseOtherMethods(allowedMethods(ofPath), gate));
  }
}
