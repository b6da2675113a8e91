import type { RouteParts } from '../definition/route-contract.js';
import { type DocumentSchemas, jsonContent, type OpenApiDocument, type Operation } from './openapi-document.js';

/** Operations by path and method, in the order of the contract. */
export function pathsOf<Route extends RouteParts>(contract: Readonly<Record<string, Route>>, describe: (name: string, route: Route) => Operation): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, route] of Object.entries(contract)) paths[route.path] = { ...paths[route.path], [route.method]: describe(name, route) };
  return paths;
}

/** Content of the successful response of a route. */
export function contentOf({ reply, produces }: RouteParts, schemas: DocumentSchemas): object {
  if (produces !== undefined) return { content: Object.fromEntries([produces].flat().map((type) => [type, { schema: { type: type === 'application/json' ? 'object' : 'string' } }])) };
  return reply === undefined ? {} : { content: jsonContent(schemas.schemaOf(reply, 'output')) };
}
