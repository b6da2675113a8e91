import type { Request, Response, Router } from 'express';
import { GatewayError } from '@tollgate/core';
import type { CallerGate } from './caller-gate.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { exchangeOf } from './open-exchange.js';

/** Every GET also answers HEAD, with the same headers and no body. */
function allowedMethods(endpoints: readonly Endpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
}

/** Answers a request that is for its endpoint, or rejects with what the error reply is made of. */
export type EndpointAnswer = (exchange: Exchange) => Promise<void>;

function answerOf(endpoint: Endpoint, gate: CallerGate): EndpointAnswer {
  return (exchange) => {
    exchange.reach(endpoint.path);
    if (endpoint.statesQuota) exchange.stateQuota();
    return exchange.work(() => gate.admit(exchange).then((caller) => endpoint.handle(exchange, caller)));
  };
}

/**
 * What answers requests to generate, by their targets as clients usually write them: nearly all requests there are, which
 * need no patterns matched to be told apart. Whatever is written in another way is the router's, with the same outcome.
 */
export function directAnswers(endpoints: readonly Endpoint[], gate: CallerGate): ReadonlyMap<string, EndpointAnswer> {
  return new Map(endpoints.filter(({ method, path }) => method === 'post' && !path.includes(':'))
    .map((endpoint) => [endpoint.path, answerOf(endpoint, gate)]));
}

function refuseOtherMethods(allowed: string, gate: CallerGate) {
  return async (_req: Request, res: Response): Promise<void> => {
    const exchange = exchangeOf(res);
    await gate.admitToNothing(exchange);
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
    for (const endpoint of ofPath) {
      const answer = answerOf(endpoint, gate);
      route[endpoint.method]((_req: Request, res: Response) => answer(exchangeOf(res)));
    }
    route.all(refuseOtherMethods(allowedMethods(ofPath), gate));
  }
}
