import type { ErrorCode, MachineScope } from '@tollgate/core';
import type { RouteParts, SuccessStatus } from '../definition/route-contract.js';

/** A route below `/admin/v1`, for machines of the operator. */
export interface AdminRoute extends RouteParts {
  /** Scope that the machine needs; `any` for no particular scope. */
  readonly access: MachineScope | 'any';
  /** Refusals that other routes do not have. */
  readonly codes?: readonly ErrorCode[];
  /** 200 unless said otherwise. */
  readonly status?: SuccessStatus;
  /** Field of the reply that is never stored, so that a reply that is sent again has `null` in it. `secret` unless said otherwise. */
  readonly secret?: string;
}

/** Declares a route, and keeps the types of its parts. */
export function defineAdminRoute<const Route extends AdminRoute>(route: Route): Route {
  return route;
}
