import type { Plugin } from 'vite';
import { contract, largestPageOf, type RouteDefinition } from '@tollgate/api-contract';

const MODULE = 'virtual:route-table';

export function tableOf(routes: Readonly<Record<string, RouteDefinition>>) {
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, [route.method.toUpperCase(), route.path, largestPageOf(route)] as const]));
}

/** Method, path and maximum page size of every route, generated from the contract at build time, so that no schema is shipped to browsers. */
export function routeTable(): Plugin {
  return {
    name: 'route-table',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      return `export const routeTable = ${JSON.stringify(tableOf(contract))};`;
    },
  };
}
