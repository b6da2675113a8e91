import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { email, id, instant, password, token } from '../values.js';

/** A browser that a person is signed in with. */
export const session = z.strictObject({
  id,
  object: z.literal('session'),
  is_current: z.boolean(),
  signed_in_by: z.enum(['password', 'link', 'passkey', 'issuer']),
  created_at: instant,
  last_used_at: instant,
  address: z.string(),
  user_agent: z.string().nullable(),
});

/** What a session may do: everything, or only what its name says. */
export const sessionReach = z.enum(['full', 'prove-factor', 'enrol-factor']);

/** A session that began. */
export const signedIn = z.strictObject({ object: z.literal('sign_in'), reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() });

export const sessionRoutes = {
  signIn: defineRoute({
    method: 'post', path: '/auth/sign-in', access: 'anyone', attempts: 'email', wayIn: true, summary: 'Begins a session with e-mail address and password.',
    body: z.strictObject({ email, password }), reply: signedIn,
  }),
  signInByLink: defineRoute({
    method: 'post', path: '/auth/link', access: 'anyone', attempts: 'token', wayIn: true, summary: 'Begins a session with the token of a one-time link.',
    body: z.strictObject({ token }), reply: signedIn,
  }),
  currentSession: defineRoute({
    method: 'get', path: '/auth/session', access: 'signed-in', summary: 'The session of this browser.',
    reply: z.strictObject({ object: z.literal('session_state'), session, reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() }),
  }),
  signOut: defineRoute({
    method: 'post', path: '/auth/sign-out', access: 'signed-in', openTo: 'inactive', status: 204, summary: 'Ends the session of this browser.',
  }),
  signOutEverywhere: defineRoute({
    method: 'post', path: '/auth/sign-out-everywhere', access: 'owner', openTo: 'inactive', status: 204, summary: 'Ends all sessions of the person.',
  }),
  listSessions: defineRoute({
    method: 'get', path: '/sessions', access: 'owner', summary: 'The sessions of the person that are alive, most recently used first.',
    reply: z.strictObject({ object: z.literal('list'), data: z.array(session).readonly(), has_more: z.literal(false) }),
  }),
  endSession: defineRoute({
    method: 'delete', path: '/sessions/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Ends one session of the person.',
    params: z.strictObject({ id }),
  }),
} as const;
