import { type Account, type Actor, clientAt, invariant, type PersonId, type Plan } from '@tollgate/core';
import type { AdmittedAttempt, BrowserRequest, SignedIn } from '@tollgate/identity';
import type { Response } from 'express';
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
