import type { AdminRoute, ParamsOf, QueryOf, ReplyOf } from '@tollgate/dashboard-contract';

/** A request that has passed all checks of its route. */
export interface AdminCall<Route extends AdminRoute> {
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
}

/** A route with the code that answers it. */
export interface AdminEndpoint {
  readonly route: AdminRoute;
  /** Resolves with the reply's body. */
  readonly handle: (call: { readonly params: unknown; readonly query: unknown }) => Promise<unknown>;
}

/** Connects a route of the contract with its handler. Thrown errors become error replies. */
export function adminEndpoint<const Route extends AdminRoute>(route: Route): (handle: (call: AdminCall<Route>) => Promise<ReplyOf<Route>>) => AdminEndpoint {
  return (handle) => ({ route, handle: (call) => handle(call as AdminCall<Route>) });
}
