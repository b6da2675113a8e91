import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { email, instant, password, token } from '../values.js';
import { sessionReach } from './session-routes.js';

/** A code as a person types it. */
const code = z.string().max(64);
const nothing = z.strictObject({});
const recoveryCodes = z.array(z.string()).readonly();

/** A session that was proved once more; its cookie is a new one. */
const proof = z.strictObject({ object: z.literal('proof'), reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() });

export const factorRoutes = {
  provePassword: defineRoute({
    method: 'post', path: '/auth/prove', access: 'signed-in', attempts: 'person', openTo: 'inactive', summary: 'Proves the password once more, for acts that want a fresh proof.',
    body: z.strictObject({ password }), reply: proof,
  }),
  verifyTotp: defineRoute({
    method: 'post', path: '/auth/totp/verify', access: 'signed-in', openTo: 'inactive',
    summary: 'Proves a code of the authenticator app; the first one makes the app a factor, and shows the recovery codes, once.',
    body: z.strictObject({ code }), reply: proof.extend({ recovery_codes: recoveryCodes.nullable() }),
  }),
  useRecoveryCode: defineRoute({
    method: 'post', path: '/auth/recovery', access: 'signed-in', openTo: 'inactive', summary: 'Proves a recovery code, which is spent.',
    body: z.strictObject({ code }), reply: proof,
  }),
  enableTotp: defineRoute({
    method: 'post', path: '/auth/totp/enable', access: 'signed-in', openTo: 'inactive', fresh: true,
    summary: 'Makes a secret for an authenticator app, and shows it once; a code of it makes the app a factor.',
    body: nothing, reply: z.strictObject({ object: z.literal('totp_enrolment'), secret: z.string(), uri: z.string() }),
  }),
  disableTotp: defineRoute({
    method: 'post', path: '/auth/totp/disable', access: 'owner', status: 204, fresh: true, summary: 'Removes the authenticator app and its recovery codes.',
    body: nothing,
  }),
  renewRecoveryCodes: defineRoute({
    method: 'post', path: '/auth/recovery-codes', access: 'owner', fresh: true, summary: 'Makes new recovery codes, and shows them once; those from before are worthless.',
    body: nothing, reply: z.strictObject({ object: z.literal('recovery_codes'), recovery_codes: recoveryCodes }),
  }),
  factors: defineRoute({
    method: 'get', path: '/auth/factors', access: 'owner', summary: 'Since when the person has an authenticator app, and how many recovery codes are left.',
    reply: z.strictObject({ object: z.literal('factors'), totp_since: instant.nullable(), recovery_codes_left: z.number().int() }),
  }),
} as const;

export const credentialRoutes = {
  changePassword: defineRoute({
    method: 'post', path: '/auth/change-password', access: 'owner', attempts: 'person', status: 204,
    summary: 'Changes the password of the person, and ends their other sessions.', body: z.strictObject({ current_password: password, new_password: password }),
  }),
  changeEmail: defineRoute({
    method: 'post', path: '/auth/change-email', access: 'owner', fresh: true, attempts: 'person', status: 202,
    summary: 'Mails a link to the present address, by which the person confirms a new one.', body: z.strictObject({ email }),
    reply: z.strictObject({ object: z.literal('accepted') }),
  }),
  confirmChangeEmail: defineRoute({
    method: 'post', path: '/auth/confirm-change-email', access: 'anyone', attempts: 'token',
    summary: 'Takes the link of the present address, after which one goes to the new address; then that one, which changes the address.',
    body: z.strictObject({ token }), reply: z.strictObject({ object: z.literal('address_change'), state: z.enum(['confirmed', 'changed']) }),
  }),
} as const;
