import type { AccountId, Actor, MachineId, StoredClaim } from '@tollgate/core';
import type { AdminRoute, BodyOf, ParamsOf, QueryOf, ReplyOf } from '@tollgate/api-contract';
import type { HttpExchange } from '../../http/http-exchange.js';

/** A request that has passed all checks of its route. */
export interface AdminCall {
  readonly exchange: HttpExchange;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly machineId: MachineId;
  /** The machine, with its claim if it sent an `Idempotency-Key`. */
  readonly actor: Actor;
  /** The account that `findAccount` found for this call; `null` until then. */
  accountId: AccountId | null;
}

type CallOf<Route extends AdminRoute> = AdminCall & { readonly params: ParamsOf<Route>; readonly query: QueryOf<Route>; readonly body: BodyOf<Route> };

/** A change that an earlier request made under the same `Idempotency-Key`. */
export interface MadeChange extends Pick<StoredClaim, 'claimedAt'> {
  /** Subject of the change's audit entry; empty if the change had no effect. */
  readonly subject: string;
}

export interface AdminEndpoint {
  readonly route: AdminRoute;
  /** Resolves with the reply's body; with `undefined` if the reply has none, or if the handler wrote it. */
  readonly handle: (call: AdminCall) => Promise<unknown>;
  /** Builds the reply to a repeated change from the present state, if the first reply is lost; `null` for reads. */
  readonly recover: ((call: AdminCall, change: MadeChange) => Promise<unknown>) | null;
}

type Handle<Route extends AdminRoute> = (call: CallOf<Route>) => Promise<ReplyOf<Route>>;
type Recover<Route extends AdminRoute> = (call: CallOf<Route>, change: MadeChange) => Promise<ReplyOf<Route>>;

/** Endpoint of a route that only reads. */
export function adminEndpoint<const Route extends AdminRoute>(route: Route): (handle: Handle<Route>) => AdminEndpoint {
  return (handle) => ({ route, handle: (call) => handle(call as CallOf<Route>), recover: null });
}

/** Endpoint of a route that makes a change. */
export function adminChange<const Route extends AdminRoute>(route: Route): (handle: Handle<Route>, recover: Recover<Route>) => AdminEndpoint {
  return (handle, recover) => ({ route, handle: (call) => handle(call as CallOf<Route>), recover: (call, change) => recover(call as CallOf<Route>, change) });
}
