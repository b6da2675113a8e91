import type { RequestHandler } from 'express';
import type { HttpExchange } from '../http-exchange.js';
import { unofferedMethod, unofferedPath } from '../unoffered-paths.js';
import { isRead } from '../wants-page.js';
import { exchangeOf } from './answer.js';

export const refuseUnknownPath: RequestHandler = (req) => {
  throw unofferedPath(req.originalUrl);
};

/** Every GET also answers HEAD. */
export const READS = 'GET, HEAD';

const refuseChanges = refuseOtherMethods(READS);

/** Value of an `Allow` header. */
export function allowedMethods(routes: readonly { readonly method: string }[]): string {
  return routes.map(({ method }) => (method === 'get' ? READS : method.toUpperCase())).join(', ');
}

/** Begins a parameter: `{` in paths of contracts, `:` in paths of Express. */
const PARAMETER = /[{:]/;

/** Groups routes by path. Paths with fewer parameters are first, because the others may match them too. */
export function byPath<Route extends { readonly path: string }>(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...groups.get(route.path) ?? [], route]);
  const parameters = (path: string): number => path.split(PARAMETER).length;
  return new Map([...groups].toSorted(([one], [other]) => parameters(one) - parameters(other)));
}

/** Serves GET and HEAD, and refuses other methods. `count` is called before a refusal. */
export function onlyReads(serve: RequestHandler, count: (exchange: HttpExchange) => void): RequestHandler {
  return (req, res, next) => {
    if (isRead(req)) return serve(req, res, next);
    count(exchangeOf(res));
    return refuseChanges(req, res, next);
  };
}

export function refuseOtherMethods(allowed: string): RequestHandler {
  return ({ originalUrl }, res) => {
    const refusal = unofferedMethod(originalUrl, allowed);
    if (refusal.code === 'method_not_allowed') exchangeOf(res).addHeaders({ allow: allowed });
    throw refusal;
  };
}
