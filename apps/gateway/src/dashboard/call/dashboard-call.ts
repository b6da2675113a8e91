import type { Response } from 'express';
import {
  type Account, type Actor, clientAt, type CountedNetwork, countedNetworksOf, GatewayError, invariant, isStoreLost, type PersonId, type Plan, toGatewayError,
} from '@tollgate/core';
import type { AdmittedAttempt, BrowserRequest, ProveOutcome, SignedIn } from '@tollgate/identity';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteDefinition } from '@tollgate/dashboard-contract';
import type { Logger } from 'pino';
import type { HttpExchange } from '../../http/http-exchange.js';
import { NetworkCounts } from '../../http/network-counts.js';

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
  /** Whose address the body names, if that person has signed in with this browser before. */
  knownAs: PersonId | null;
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

/** Pieces of work that may run at the same time without a reply waiting for them. */
export const MAX_AT_ONCE = 288;
/** Of them, for browsers that are known to no one; so others find room beside a flood. */
export const MAX_FOR_STRANGERS = 224;
/** Of these, for networks of which some runs already; so others find room beside a flood from few networks. */
export const MAX_FOR_BUSY_NETWORKS = 192;
/** Of these, for the network of one customer; larger networks have multiples of it. */
const MAX_PER_NETWORK = 16;
/** From so much on a network counts as busy; larger networks from multiples of it. */
const BUSY_FROM = 1;

function noRoom(): GatewayError {
  return new GatewayError('too_many_attempts', 'The gateway is too busy for this at the moment. Try again later.', { retryAfterSeconds: 2 });
}

/** Whose request it is that sets work going. */
export type WorkHolder = Pick<DashboardCall, 'exchange' | 'knownAs'>;

/**
 * Work that a request sets going and its reply does not wait for, such as the look-up of an address. It is held in memory alone: what a crash cuts
 * off is lost. The request counts as running until it has ended, so a gateway that stops waits for it.
 */
export class BackgroundWork {
  readonly #strangers = new NetworkCounts();
  #running = 0;

  constructor(private readonly log: Logger) {}

  /** Resolves when the work has ended, also where it failed, which is logged. Throws `too_many_attempts` when too much runs, of the network or in all. */
  start({ exchange: { requestId, clientAddress }, knownAs }: WorkHolder, work: () => Promise<void>): Promise<void> {
    const networks = knownAs === null ? countedNetworksOf(clientAddress) : [];
    if (this.#running >= MAX_AT_ONCE || (knownAs === null && this.#isFull(networks))) throw noRoom();
    if (knownAs !== null) return this.guarded(requestId, work);
    this.#strangers.change(networks, 1);
    return this.guarded(requestId, work).finally(() => this.#strangers.change(networks, -1));
  }

  #isFull(networks: readonly CountedNetwork[]): boolean {
    const most = this.#strangers.hasMany(networks, BUSY_FROM) ? MAX_FOR_BUSY_NETWORKS : MAX_FOR_STRANGERS;
    return this.#strangers.total >= most || this.#strangers.hasMany(networks, MAX_PER_NETWORK);
  }

  /** The same for what follows from an act that is done, and has no other time. It is not refused: such acts are bounded themselves. */
  follow({ requestId }: HttpExchange, work: () => Promise<void>): Promise<void> {
    return this.guarded(requestId, work);
  }

  private async guarded(requestId: string, work: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await work();
    } catch (thrown) {
      // The lease keeper tells of a store that is lost.
      if (!isStoreLost(thrown)) this.log.error({ requestId, err: toGatewayError(thrown).cause ?? thrown }, 'work after a request failed');
    } finally {
      this.#running -= 1;
    }
  }
}

/** Long work of which one run is enough at a time: calls during a run share its result. */
export class SharedRun<Result> {
  #running: Promise<Result> | null = null;

  constructor(private readonly work: () => Promise<Result>) {}

  /** Fails as the run does; the next call begins another. */
  join(): Promise<Result> {
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
