import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteDefinition } from '@tollgate/dashboard-contract';
import type { BrowserRequest, ProveOutcome } from '@tollgate/identity';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { DashboardCall, Visitor } from './dashboard-call.js';

/** Sets the cookies of a session whose person has just proved something; the browser is known to the person once nothing is left to prove. */
export type Enter = (proven: Pick<Extract<ProveOutcome, { readonly outcome: 'proven' }>, 'signedIn' | 'setCookie'>) => Promise<void>;

/** What a handler gets of a request that has passed all checks of its route. */
export interface Call<Route extends RouteDefinition> {
  readonly exchange: HttpExchange;
  readonly browser: BrowserRequest;
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  /** For `actorOf`. */
  readonly call: DashboardCall;
  /** The person who is signed in. */
  readonly visitor: Route['access'] extends 'anyone' ? null : Visitor;
  /** Sets a cookie with the reply. */
  readonly setCookie: (header: string) => void;
  readonly enter: Enter;
  /** Where a reply with status 303 sends the browser. */
  readonly redirect: (location: string) => void;
  /** Starts work that the reply does not wait for; what it fails with is logged. Throws `too_many_attempts` when too much runs. */
  readonly inBackground: (work: () => Promise<void>) => void;
  /** The same for what follows from an act that is done already; never refused. */
  readonly afterAct: (work: () => Promise<void>) => void;
}

/** What a handler does to its reply besides returning the body. */
type ReplyTools = Pick<Call<RouteDefinition>, 'setCookie' | 'enter' | 'redirect' | 'inBackground' | 'afterAct'>;

/** A route with the code that answers it. */
export interface DashboardEndpoint {
  readonly route: RouteDefinition;
  /** Resolves with the reply's body; with nothing where the route has none, or where it wrote the reply itself. */
  readonly handle: (call: DashboardCall, tools: ReplyTools) => Promise<unknown>;
}

/** Joins a route of the contract with the code that answers it: `endpoint(contract.me)(async (call) => …)`. What that throws becomes the error reply. */
export function endpoint<const Route extends RouteDefinition>(route: Route): (handle: (call: Call<Route>) => Promise<ReplyOf<Route>>) => DashboardEndpoint {
  return (handle) => ({
    route,
    handle: (call, tools) => {
      const { exchange, browser, params, query, body, visitor } = call;
      return handle({ exchange, browser, params, query, body, visitor, call, ...tools } as Call<Route>);
    },
  });
}
