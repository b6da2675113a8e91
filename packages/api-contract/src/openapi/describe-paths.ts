import type { RouteParts } from '../definition/route-contract.js';
import type { OpenApiDocument, Operation } from './openapi-document.js';

/** Operations by path and method, in the order of the contract. */
export function pathsOf<Route extends RouteParts>(contract: Readonly<Record<string, Route>>, describe: (name: string, route: Route) => Operation): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, route] of Object.entries(contract)) paths[route.path] = { ...paths[route.path], [route.method]: describe(name, route) };
  return paths;
}
