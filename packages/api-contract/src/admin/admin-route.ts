import type { ErrorCode, MachineScope } from '@tollgate/core';
import type { RouteParts, SuccessStatus } from '../definition/route-contract.js';

/** A route below `/admin/v1`, for machines of the operator. */
export interface AdminRoute extends RouteParts {
  /** Scope that the machine needs; `any` for no particular scope. */
  readonly access: MachineScope | 'any';
  /** Refusals in addition to those of every route. */
  readonly codes?: readonly ErrorCode[];
  /** Default: 200. */
  readonly status?: SuccessStatus;
  /** Field of the reply that is never stored: it is `null` when the reply is sent again. Default: `secret`. */
  readonly secret?: string;
}

/** Declares a route, and keeps the types of its parts. */
export function defineAdminRoute<const Route extends AdminRoute>(route: Route): Route {
  return route;
}
