import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteDefinition } from '@tollgate/api-contract';
import type { BrowserRequest, ProveOutcome } from '@tollgate/identity';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { DashboardCall, Visitor } from './dashboard-call.js';

/** Sets the cookies after a proof. The browser becomes a known device once no further factor is required. */
export type Enter = (proven: Pick<Extract<ProveOutcome, { readonly outcome: 'proven' }>, 'signedIn' | 'setCookie'>) => Promise<void>;

/** Passed to handlers after all checks. */
export interface Call<Route extends RouteDefinition> {
  readonly exchange: HttpExchange;
  readonly browser: BrowserRequest;
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  /** Argument of `actorOf`. */
  readonly call: DashboardCall;
  readonly visitor: Route['access'] extends 'anyone' ? null : Visitor;
  readonly setCookie: (header: string) => void;
  readonly enter: Enter;
  /** For routes with status 303. */
  readonly redirect: (location: string) => void;
  /** See `BackgroundWork.start`. */
  readonly inBackground: (work: () => Promise<void>) => void;
  /** See `BackgroundWork.follow`. */
  readonly afterAct: (work: () => Promise<void>) => void;
}

type ReplyTools = Pick<Call<RouteDefinition>, 'setCookie' | 'enter' | 'redirect' | 'inBackground' | 'afterAct'>;

export interface DashboardEndpoint {
  readonly route: RouteDefinition;
  /** Resolves with the body; with `undefined` if the reply has none, or if the handler wrote it. */
  readonly handle: (call: DashboardCall, tools: ReplyTools) => Promise<unknown>;
}

/** For example `endpoint(contract.me)(async (call) => …)`. Errors become error replies. */
export function endpoint<const Route extends RouteDefinition>(route: Route): (handle: (call: Call<Route>) => Promise<ReplyOf<Route>>) => DashboardEndpoint {
  return (handle) => ({
    route,
    handle: (call, tools) => {
      const { exchange, browser, params, query, body, visitor } = call;
      return handle({ exchange, browser, params, query, body, visitor, call, ...tools } as Call<Route>);
    },
  });
}
