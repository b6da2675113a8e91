import type { Plugin } from 'vite';
import { contract } from '@tollgate/dashboard-contract';

const MODULE = 'virtual:route-table';

/** Method and path of every route by its name, made from the contract when the pages are built, so that no schema reaches the browser. */
export function routeTable(): Plugin {
  return {
    name: 'route-table',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      const table = Object.fromEntries(Object.entries(contract).map(([name, { method, path }]) => [name, [method.toUpperCase(), path]]));
      return `export const routeTable = ${JSON.stringify(table)};`;
    },
  };
}
