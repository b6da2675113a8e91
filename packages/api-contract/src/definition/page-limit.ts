import type { PageSize } from '@tollgate/core';
import { z } from 'zod';
import type { RouteDefinition } from './route-contract.js';

/** The query parameter for the page size. */
export function pageLimit({ usual, most }: PageSize) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

/** Maximum page size of a route; `null` without pages. */
export function largestPageOf({ query }: RouteDefinition): number | null {
  const limit: unknown = query instanceof z.ZodObject ? query.shape['limit'] : undefined;
  const number = limit instanceof z.ZodDefault ? limit.unwrap() : null;
  return number instanceof z.ZodNumber ? number.maxValue : null;
}
