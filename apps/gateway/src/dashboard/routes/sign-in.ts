import type { SessionId } from '@tollgate/core';
import { contract } from '@tollgate/api-contract';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeSession } from '../call/encode-session.js';
import { unknownAddress } from '../call/unknown-address.js';
import { encodeSignIn } from './encode-sign-in.js';

export function sessionEndpoints({ sessions, identity, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.signIn)(async ({ browser, body, call, enter, inBackground }) =>
      encodeSignIn(await identity.passwordSignIn.signIn({ ...browser, inBackground }, body, call.knownAs !== null), enter)),
    endpoint(contract.signInByLink)(async ({ browser, body, enter }) =>
      encodeSignIn(await sessions.signIn(browser, { kind: 'link', ...body }, clock.now()), enter)),
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
