import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { email, label, password, token } from '../values.js';
import { signedIn } from './session-routes.js';

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
