import type { ErrorCode } from '@tollgate/core';
import type { z } from 'zod';
import type { RouteParts } from '../definition/route-contract.js';

export interface EventStream {
  /** When a stream is sent instead of one JSON value, and how it ends. */
  readonly description: string;
  /** The data of one event. */
  readonly event: z.ZodType;
}

/** A request that the decoders accept. */
export interface Example {
  readonly request: Readonly<Record<string, unknown>>;
}

/** A route for clients with an API key. Its path begins with `/v1`. */
export interface V1Route extends RouteParts {
  readonly tag: 'Generation' | 'Stored responses' | 'Models' | 'Account' | 'Usage';
  /** What a caller may rely on, in whole sentences. */
  readonly description: string;
  readonly reply: z.ZodType;
  readonly stream?: EventStream;
  readonly example?: Example;
  /** True if the route accepts `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** Codes of refusals in addition to those of every route. */
  readonly codes: readonly ErrorCode[];
}

/** Declares a route, and keeps the types of its parts. */
export function defineV1Route<const Route extends V1Route>(route: Route): Route {
  return route;
}
