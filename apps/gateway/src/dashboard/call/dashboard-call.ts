import { type Account, type Actor, invariant, type PersonId, type Plan } from '@tollgate/core';
import { type AdmittedAttempt, type BrowserRequest, ownerIn, type SignedIn } from '@tollgate/identity';
import type { Response } from 'express';
import type { HttpExchange } from '../../http/http-exchange.js';

export interface Visitor extends SignedIn {
  readonly account: Account;
  readonly plan: Plan;
}

export interface DashboardCall {
  readonly exchange: HttpExchange;
  readonly browser: BrowserRequest;
  /** `null` on public routes, and until the session is read. */
  visitor: Visitor | null;
  params: unknown;
  query: unknown;
  body: unknown;
  /** `null` on routes without attempt limits. */
  attempt: AdmittedAttempt | null;
  /** The person of the body's address; `null` unless this browser has signed in as that person. */
  knownAs: PersonId | null;
}

export function callOf(res: Response): DashboardCall {
  return res.locals['dashboardCall'] as DashboardCall;
}

export function putCall(res: Response, call: DashboardCall): void {
  res.locals['dashboardCall'] = call;
}

/** Throws on routes without a session. */
export function visitorOf({ visitor }: DashboardCall): Visitor {
  invariant(visitor !== null, 'the route wants a session');
  return visitor;
}

/** The caller as the audit log names it. */
export function actorOf(call: DashboardCall, as: 'owner' | 'operator'): Actor {
  return { ...ownerIn(visitorOf(call).session, call.browser.address), kind: as };
}
