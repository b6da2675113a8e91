import type { IRoute, IRouter, RequestHandler } from 'express';
import { type Caller, checkPlatform as checkPlatformOf } from '@tollgate/core';
import type { BodyDecoder, JsonBodyReader } from '../json-body-reader.js';
import { refuseUnknownFraming } from '../body-headers.js';
import { answer } from './answer.js';
import { allowedMethods, byPath, refuseOtherMethods, refuseUnknownPath } from './refuse-unknown.js';
import type { HttpExchange } from '../http-exchange.js';
import { TurnQueue } from '../turn-queue.js';
import { authenticate, type AuthenticationPorts, countUnanswerable } from './authenticate.js';
import { checkPlatform, type PlatformPorts } from './check-platform.js';

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete';

/** Serves an authenticated request. Replies or throws. */
type Serve = (exchange: HttpExchange, caller: Caller) => Promise<void> | void;

/** A route that requires a key. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** Path in Express syntax. */
  readonly path: string;
  /** True if replies, including refusals, state the limits of the caller. */
  readonly statesQuota: boolean;
  readonly serve: Serve;
}

/** An endpoint without a request body. */
export function plainEndpoint(method: HttpMethod, path: string, serve: Serve): Endpoint {
  return { method, path, statesQuota: false, serve };
}

/** Queue of the whole process. */
const reads = new TurnQueue();

/** Spreads concurrent reads over event loop turns, so that many reads do not block other requests. Accounts take turns. */
export function readEndpoint(path: string, serve: Serve): Endpoint {
  return plainEndpoint('get', path, (exchange, caller) => reads.run(caller.account.id, () => (exchange.clientLeft ? undefined : serve(exchange, caller))));
}

interface BodyEndpoint<Body> {
  readonly path: string;
  readonly bodies: JsonBodyReader;
  readonly decode: BodyDecoder<Body>;
  readonly handle: (exchange: HttpExchange, caller: Caller, body: Body) => Promise<void>;
}

/** An endpoint with a JSON body, whose replies state the caller's limits. */
export function bodyEndpoint<Body>({ path, bodies, decode, handle }: BodyEndpoint<Body>): Endpoint {
  return {
    method: 'post',
    path,
    statesQuota: true,
    // A suspended function would keep the body for as long as the reply takes.
    serve: (exchange, caller) => bodies.read(exchange, { accountId: caller.account.id }, decode).then((body) => handle(exchange, caller, body)),
  };
}

export type CallerPorts = AuthenticationPorts & PlatformPorts;

/** Checks platform, key, unbilled limits and framing, in this order, before `serve` reads the body. */
function handlerOf({ path, statesQuota, serve }: Endpoint, callers: CallerPorts): RequestHandler {
  return answer(async (exchange) => {
    exchange.reach(path);
    if (statesQuota) exchange.stateQuota();
    checkPlatformOf(callers.platform, exchange.clientAddress, exchange.startedAt);
    const caller = await authenticate(exchange, callers);
    exchange.identify(caller);
    exchange.claim(callers.unbilled.askAccount(caller));
    refuseUnknownFraming(exchange.req.headers);
    await serve(exchange, caller);
  });
}

/** Adds the endpoints to the router, which refuses other methods of their paths. */
export function mountEndpoints(router: IRouter, endpoints: readonly Endpoint[], callers: CallerPorts): void {
  for (const [path, ofPath] of byPath(endpoints)) {
    const route = router.route(path);
    for (const endpoint of ofPath) route[endpoint.method](handlerOf(endpoint, callers));
    mountOtherMethods(route, allowedMethods(ofPath), callers);
  }
}

/** Refuses the methods that a path does not have. */
export function mountOtherMethods(route: IRoute, allowed: string, callers: CallerPorts): void {
  route.all(checkPlatform(callers), countUnanswerable(callers), refuseOtherMethods(allowed));
}

export function mountRefusal(router: IRouter, callers: CallerPorts): void {
  router.use(checkPlatform(callers), countUnanswerable(callers), refuseUnknownPath);
}
