import type { IRouter, RequestHandler } from 'express';
import type { Endpoint } from './endpoint.js';
import { authenticate, type AuthenticationPorts, countUnanswerable } from '../middleware/authenticate.js';
import { checkFraming } from '../middleware/check-framing.js';
import { checkPlatform, type PlatformPorts } from '../middleware/check-platform.js';
import { refuseOtherMethods, refuseUnknownPath } from '../middleware/refuse-unknown.js';
import { exchangeOf } from '../middleware/request-context.js';

export type CallerPorts = AuthenticationPorts & PlatformPorts;

/** Tells the exchange which endpoint it is for. */
function enter({ path, statesQuota }: Endpoint): RequestHandler {
  return (_req, res, next) => {
    const exchange = exchangeOf(res);
    exchange.reach(path);
    if (statesQuota) exchange.stateQuota();
    next();
  };
}

/** Every GET also answers HEAD, with the same headers and no body. */
function allowedMethods(endpoints: readonly Endpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
}

function byPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const groups = new Map<string, readonly Endpoint[]>();
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint]);
  return groups;
}

/** Adds endpoints to a router, and the refusals of their paths' other methods. Everything before a body is read is decided here, in this order. */
export function mountEndpoints(router: IRouter, endpoints: readonly Endpoint[], callers: CallerPorts): void {
  const admit = [checkPlatform(callers), authenticate(callers), checkFraming];
  for (const [path, ofPath] of byPath(endpoints)) {
    const route = router.route(path);
    for (const endpoint of ofPath) route[endpoint.method](enter(endpoint), ...admit, ...endpoint.handlers);
    route.all(checkPlatform(callers), countUnanswerable(callers), refuseOtherMethods(allowedMethods(ofPath)));
  }
}

/** Refuses every request that comes this far. */
export function mountRefusal(router: IRouter, callers: CallerPorts): void {
  router.use(checkPlatform(callers), countUnanswerable(callers), refuseUnknownPath);
}
