import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { GatewayError, type SessionId, type SignedIn, type SignInOutcome } from '@tollgate/core';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeSession } from '../call/encode-session.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';
import { unknownAddress } from '../middleware/admit-visitor.js';

/** One text for every reason, so that a refusal says nothing about the person. */
export function signInFailed(): GatewayError {
  return new GatewayError('sign_in_failed', 'E-mail or password is not right.');
}

/** What a browser learns of a session that began, whose cookie is set with the reply. */
export function encodeSignIn(outcome: SignInOutcome, setCookie: (header: string) => void): ReplyOf<typeof contract.signIn> {
  if (outcome.outcome !== 'signed-in') throw signInFailed();
  setCookie(outcome.setCookie);
  const { reach, person }: SignedIn = outcome.signedIn;
  return { object: 'sign_in', reach, factors: person.factors };
}

/** Sessions: beginning, listing and ending them. */
export function sessionEndpoints({ sessions, identity, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.signIn)(async ({ browser, body, setCookie }) =>
      encodeSignIn(await identity.passwordSignIn.signIn(browser, body), setCookie)),
    endpoint(contract.signInByLink)(async ({ browser, body, setCookie }) =>
      encodeSignIn(await sessions.signIn(browser, { kind: 'link', ...body }, clock.now()), setCookie)),
    endpoint(contract.currentSession)(async ({ visitor: { session, reach, person } }) =>
      ({ object: 'session_state', session: encodeSession(session, session), reach, factors: person.factors })),
    endpoint(contract.signOut)(async ({ visitor: { person, session }, setCookie }) => {
      await sessions.end(person.id, session.id);
      setCookie(sessions.forgetCookie());
    }),
    endpoint(contract.signOutEverywhere)(async ({ visitor: { person }, setCookie }) => {
      await sessions.end(person.id, 'all');
      setCookie(sessions.forgetCookie());
    }),
    endpoint(contract.listSessions)(async ({ visitor: { person, session } }) => {
      const data = (await sessions.list(person, clock.now())).map((each) => encodeSession(each, session));
      return { object: 'list', data, has_more: false };
    }),
    endpoint(contract.endSession)(async ({ visitor: { person }, params: { id } }) => {
      if (await sessions.end(person.id, id as SessionId) === 0) throw unknownAddress();
    }),
  ];
}
