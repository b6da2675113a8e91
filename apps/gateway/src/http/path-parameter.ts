import { invariant } from '@tollgate/core';
import type { Exchange } from './exchange.js';

/** A parameter of the path an endpoint was found by, decoded; the segments of a wildcard are joined again. */
export function pathParameter({ req }: Exchange, name: string): string {
  const value = req.params[name];
  invariant(value !== undefined, `the path of the endpoint has the parameter ${name}`);
  return typeof value === 'string' ? value : value.join('/');
}
