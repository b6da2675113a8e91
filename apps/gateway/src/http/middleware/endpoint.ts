import type { IRouter, Request, RequestHandler } from 'express';
import type { Caller } from '@tollgate/core';
import type { BodyDecoder, JsonBodyReader } from '../json-body-reader.js';
import { answer, exchangeOf } from './answer.js';
import { checkFraming } from './check-framing.js';
import { refuseOtherMethods, refuseUnknownPath } from './refuse-unknown.js';
import type { HttpExchange } from '../http-exchange.js';
import { TurnQueue } from '../turn-queue.js';
import { authenticate, type AuthenticationPorts, countUnanswerable } from './authenticate.js';
import { checkPlatform, type PlatformPorts } from './check-platform.js';

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete';

/** Requires a key. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** In Express syntax. */
  readonly path: string;
  /** Including refusals. */
  readonly statesQuota: boolean;
  /** After authentication; the last one replies. */
  readonly handlers: readonly RequestHandler[];
}

/** Replies or throws. */
type Handle = (exchange: HttpExchange, caller: Caller) => Promise<void> | void;

/** Without a body. */
export function plainEndpoint(method: HttpMethod, path: string, handle: Handle): Endpoint {
  return { method, path, statesQuota: false, handlers: [answer((exchange) => handle(exchange, exchange.authenticatedCaller))] };
}

/** For the whole process. */
const reads = new TurnQueue();

/** Spreads concurrent reads over event loop turns, so that many summaries do not block other requests, nor one account's reads others'. */
export function readEndpoint(path: string, handle: Handle): Endpoint {
  return plainEndpoint('get', path, (exchange, caller) => reads.run(caller.account.id, () => (exchange.clientLeft ? undefined : handle(exchange, caller))));
}

interface BodyEndpoint<Body> {
  readonly path: string;
  readonly bodies: JsonBodyReader;
  readonly decode: BodyDecoder<Body>;
  readonly handle: (exchange: HttpExchange, caller: Caller, body: Body) => Promise<void>;
}

/** Its replies state the caller's limits. */
export function bodyEndpoint<Body>({ path, bodies, decode, handle }: BodyEndpoint<Body>): Endpoint {
  return {
    method: 'post',
    path,
    statesQuota: true,
    handlers: [
      readJsonBody(bodies, decode),
      answer((exchange) => handle(exchange, exchange.authenticatedCaller, takeBody(exchange.req) as Body)),
    ],
  };
}

/** Into `req.body`. */
export function readJsonBody<Body>(bodies: JsonBodyReader, decode: BodyDecoder<Body>): RequestHandler {
  return async (req, res, next) => {
    const exchange = exchangeOf(res);
    req.body = await bodies.read(exchange, { accountId: exchange.authenticatedCaller.account.id }, decode);
    next();
  };
}

/** Removes it from the request: a reply may last minutes. */
export function takeBody(req: Request): unknown {
  const body: unknown = req.body;
  req.body = null;
  return body;
}

export type CallerPorts = AuthenticationPorts & PlatformPorts;

function enter({ path, statesQuota }: Endpoint): RequestHandler {
  return (_req, res, next) => {
    const exchange = exchangeOf(res);
    exchange.reach(path);
    if (statesQuota) exchange.stateQuota();
    next();
  };
}

/** GET implies HEAD. */
function allowedMethods(endpoints: readonly Endpoint[]): string {
  return endpoints.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');
}

function byPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const groups = new Map<string, readonly Endpoint[]>();
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint]);
  return groups;
}

/** Also refuses other methods of the paths. Everything before a body is read is decided here, in this order. */
export function mountEndpoints(router: IRouter, endpoints: readonly Endpoint[], callers: CallerPorts): void {
  const admit = [checkPlatform(callers), authenticate(callers), checkFraming];
  for (const [path, ofPath] of byPath(endpoints)) {
    const route = router.route(path);
    for (const endpoint of ofPath) route[endpoint.method](enter(endpoint), ...admit, ...endpoint.handlers);
    route.all(checkPlatform(callers), countUnanswerable(callers), refuseOtherMethods(allowedMethods(ofPath)));
  }
}

export function mountRefusal(router: IRouter, callers: CallerPorts): void {
  router.use(checkPlatform(callers), countUnanswerable(callers), refuseUnknownPath);
}
