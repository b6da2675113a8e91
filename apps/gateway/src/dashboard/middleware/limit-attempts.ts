import type { RequestHandler } from 'express';
import type { RouteDefinition } from '@tollgate/dashboard-contract';
import type { AttemptLimits, AttemptSubject } from '@tollgate/core';
import { peerNetworkOf } from '../../http/peer-network.js';
import { callOf, type DashboardCall, visitorOf } from '../call/dashboard-call.js';

/** What a try is about, in the body that the route's schema has read. */
function subjectOf(kind: AttemptSubject['kind'], call: DashboardCall): AttemptSubject {
  const body = call.body as { readonly email: string; readonly token: string };
  switch (kind) {
    case 'email': return { kind, email: body.email };
    case 'token': return { kind, token: body.token };
    case 'person': return { kind, id: visitorOf(call).person.id };
  }
}

/** Refuses guessing and flooding, before any password is hashed or anything is looked up. */
export function limitAttempts({ attempts }: RouteDefinition, limits: AttemptLimits): RequestHandler {
  return async (_req, res, next) => {
    const call = callOf(res);
    if (attempts !== undefined) call.attempt = await limits.admit({ network: peerNetworkOf(call.browser.address), subject: subjectOf(attempts, call) });
    next();
  };
}
