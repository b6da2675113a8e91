import type { Response } from 'express';
import { type Account, type Actor, type AdmittedAttempt, type BrowserRequest, clientAt, invariant, type Plan, type SignedIn } from '@tollgate/core';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteDefinition } from '@tollgate/dashboard-contract';
import type { HttpExchange } from '../../http/http-exchange.js';

/** The person who is signed in, with the account that they own. */
export interface Visitor extends SignedIn {
  readonly account: Account;
  readonly plan: Plan;
}

/** One request to a route of the dashboard, on its way through the middlewares. */
export interface DashboardCall {
  readonly exchange: HttpExchange;
  readonly browser: BrowserRequest;
  /** `null` on routes for anyone. */
  visitor: Visitor | null;
  params: unknown;
  query: unknown;
  body: unknown;
  /** Where the route limits tries. */
  attempt: AdmittedAttempt | null;
}

export function callOf(res: Response): DashboardCall {
  return res.locals['dashboardCall'] as DashboardCall;
}

export function putCall(res: Response, call: DashboardCall): void {
  res.locals['dashboardCall'] = call;
}

/** Behind the guard of a route that wants a session. */
export function visitorOf({ visitor }: DashboardCall): Visitor {
  invariant(visitor !== null, 'the route wants a session');
  return visitor;
}

/** Who acts, for the audit trail. */
export function actorOf(call: DashboardCall, as: 'owner' | 'operator'): Actor {
  return { kind: as, id: visitorOf(call).person.id, origin: clientAt(call.browser.address) };
}

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
  /** Where a reply with status 303 sends the browser. */
  readonly redirect: (location: string) => void;
  /** Starts work that the reply does not wait for; what it fails with is logged. Throws `server_busy` when too much runs. */
  readonly inBackground: (work: () => Promise<void>) => void;
  /** The same for what follows from an act that is done already; never refused. */
  readonly afterAct: (work: () => Promise<void>) => void;
}

/** What a handler does to its reply besides returning the body. */
export type ReplyTools = Pick<Call<RouteDefinition>, 'setCookie' | 'redirect' | 'inBackground' | 'afterAct'>;

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
