import { z } from 'zod';
import { defineRoute, email, id, instant, label, password, token } from '../route-contract.js';

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

/** The same whatever is known of an address. */
const accepted = z.strictObject({ object: z.literal('accepted') });

/** A person who has proved an address; `sign_in` is `null` where no session could begin, and the browser has to sign in. */
const entry = z.strictObject({ object: z.literal('entry'), email, sign_in: signedIn.nullable() });

const tokenWithPassword = z.strictObject({ token, password });

export const entryRoutes = {
  signUp: defineRoute({
    method: 'post', path: '/auth/sign-up', access: 'anyone', attempts: 'email', wayIn: true, status: 202, summary: 'Signs up, and mails a link to verify the address.',
    body: z.strictObject({ email, name: label(100), password }), reply: accepted,
  }),
  resendVerification: defineRoute({
    method: 'post', path: '/auth/resend', access: 'anyone', attempts: 'email', status: 202, summary: 'Mails the link to verify an address once more.',
    body: z.strictObject({ email }), reply: accepted,
  }),
  verifyEmail: defineRoute({
    method: 'post', path: '/auth/verify-email', access: 'anyone', attempts: 'token', wayIn: true,
    summary: 'Verifies an address with the token of its link and the password of the sign-up, and begins a session.', body: tokenWithPassword, reply: entry,
  }),
  disown: defineRoute({
    method: 'post', path: '/auth/disown', access: 'anyone', attempts: 'token', status: 204, summary: 'Removes a sign-up that the owner of the address did not make.',
    body: z.strictObject({ token }),
  }),
  requestReset: defineRoute({
    method: 'post', path: '/auth/reset-request', access: 'anyone', attempts: 'email', status: 202, summary: 'Mails a link to choose a new password.',
    body: z.strictObject({ email }), reply: accepted,
  }),
  resetPassword: defineRoute({
    method: 'post', path: '/auth/reset', access: 'anyone', attempts: 'token', wayIn: true,
    summary: 'Sets a new password with the token of a link; ends all sessions and second factors, and begins a session.', body: tokenWithPassword, reply: entry,
  }),
  acceptInvitation: defineRoute({
    method: 'post', path: '/auth/accept-invitation', access: 'anyone', attempts: 'token', wayIn: true,
    summary: 'Sets the first password with the token of an invitation, and begins a session.', body: tokenWithPassword, reply: entry,
  }),
} as const;
