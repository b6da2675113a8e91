import { z } from 'zod';
import { defineRoute } from '../definition/route-contract.js';
import { displayName, email, id, instant, password, token } from '../definition/field-schemas.js';

/** Who may sign up: everyone, invited people, or no one. */
export const signUpPolicy = z.enum(['open', 'invitation', 'closed']);

/** A browser that a person is signed in with. */
export const session = z.strictObject({
  id,
  object: z.literal('session'),
  is_current: z.boolean(),
  signed_in_by: z.enum(['password', 'link', 'passkey', 'issuer', 'confirmed']),
  created_at: instant,
  last_used_at: instant,
  address: z.string(),
  user_agent: z.string().nullable(),
});

/** Permitted acts of a session: all, or only the one named. */
export const sessionReach = z.enum(['full', 'prove-factor', 'enrol-factor', 'operator-link']);

/** A session that began. */
const signedIn = z.strictObject({ object: z.literal('sign_in'), reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() });

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
    method: 'get', path: '/sessions', access: 'owner', summary: 'The active sessions of the person, most recently used first.',
    reply: z.strictObject({ object: z.literal('list'), data: z.array(session).readonly(), has_more: z.literal(false) }),
  }),
  endSession: defineRoute({
    method: 'delete', path: '/sessions/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Ends one session of the person.',
    params: z.strictObject({ id }),
  }),
} as const;

/** The same whatever is known of an address. */
const accepted = z.strictObject({ object: z.literal('accepted') });

/** A person with a verified address; `sign_in` is `null` if no session could start, so that the browser must sign in. */
const entry = z.strictObject({ object: z.literal('entry'), email, sign_in: signedIn.nullable() });

const tokenWithPassword = z.strictObject({ token, password });

export const entryRoutes = {
  signUp: defineRoute({
    method: 'post', path: '/auth/sign-up', access: 'anyone', attempts: 'email', wayIn: true, status: 202, summary: 'Signs up, and mails a link to verify the address.',
    body: z.strictObject({ email, name: displayName, password }), reply: accepted,
  }),
  resendVerification: defineRoute({
    method: 'post', path: '/auth/resend', access: 'anyone', attempts: 'email', status: 202, summary: 'Mails the link to verify an address again.',
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

/** What `PublicKeyCredential.toJSON` gives; the protocol's library judges it. */
const answer = z.record(z.string(), z.unknown());
/** For `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
const options = z.strictObject({ object: z.literal('passkey_options'), public_key: z.record(z.string(), z.unknown()) });
const nothing = z.strictObject({});

const passkey = z.strictObject({ id, object: z.literal('passkey'), name: z.string(), backed_up: z.boolean(), created_at: instant, last_used_at: instant.nullable() });

export const signInMethodRoutes = {
  signInMethods: defineRoute({
    method: 'get', path: '/auth/methods', access: 'anyone', summary: 'The sign-in methods besides a password, and who may sign up.',
    reply: z.strictObject({
      object: z.literal('sign_in_methods'),
      /** Why passkeys are unavailable: browsers support them for host names only, over https or on `localhost`. */
      passkeys: z.enum(['available', 'ip-address', 'insecure-address', 'no-secret']),
      issuer: z.strictObject({ name: z.string() }).nullable(),
      sign_up: signUpPolicy,
      /** True if a mail server delivers messages; otherwise they are files on the gateway's machine. */
      mail: z.boolean(),
    }),
  }),
  passkeySignInOptions: defineRoute({
    method: 'get', path: '/auth/passkeys/sign-in-options', access: 'anyone', wayIn: true, summary: 'A challenge for any passkey of this installation, valid for five minutes.',
    reply: options,
  }),
  signInByPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys/sign-in', access: 'anyone', wayIn: true, summary: 'Begins a session with a passkey, which counts as two factors.',
    body: z.strictObject({ answer }), reply: signedIn,
  }),
  passkeyOptions: defineRoute({
    method: 'post', path: '/auth/passkeys/options', access: 'signed-in', openTo: 'inactive', fresh: true, summary: 'A challenge for a new passkey, valid for five minutes in this session.',
    body: nothing, reply: options,
  }),
  addPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys', access: 'signed-in', openTo: 'inactive', fresh: true, status: 201, summary: 'Adds a passkey, which raises the assurance of the session, and sets a new cookie.',
    body: z.strictObject({ name: displayName, answer }),
    reply: z.strictObject({ object: z.literal('passkey_added'), passkey, reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() }),
  }),
  listPasskeys: defineRoute({
    method: 'get', path: '/auth/passkeys', access: 'owner', summary: "The person's passkeys, oldest first.",
    reply: z.strictObject({ object: z.literal('list'), data: z.array(passkey).readonly(), has_more: z.literal(false) }),
  }),
  renamePasskey: defineRoute({
    method: 'patch', path: '/auth/passkeys/{id}', access: 'owner', status: 204, summary: 'Renames a passkey.', params: z.strictObject({ id }),
    body: z.strictObject({ name: displayName }),
  }),
  removePasskey: defineRoute({
    method: 'delete', path: '/auth/passkeys/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Removes a passkey; the last second factor requires a fresh proof.',
    params: z.strictObject({ id }),
  }),
  issuerStart: defineRoute({
    method: 'get', path: '/auth/oidc/start', access: 'anyone', wayIn: true, status: 303, summary: 'Sends the browser to the OpenID Connect issuer, or back to the sign-in page where the issuer cannot be used.',
  }),
  issuerCallback: defineRoute({
    method: 'get', path: '/auth/callback/oidc', access: 'anyone', wayIn: true, status: 303,
    summary: 'The callback of the issuer. Redirects to the dashboard with a session, or to the sign-in page with the reason in `refused`.',
  }),
} as const;

/** A code as a person types it. */
const code = z.string().max(64);
const recoveryCodes = z.array(z.string()).readonly();

/** A session after a new proof; its cookie is new. */
const proof = z.strictObject({ object: z.literal('proof'), reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() });

export const factorRoutes = {
  provePassword: defineRoute({
    method: 'post', path: '/auth/prove', access: 'signed-in', attempts: 'person', openTo: 'inactive', summary: 'Proves the password again, for acts that require a fresh proof.',
    body: z.strictObject({ password }), reply: proof,
  }),
  verifyTotp: defineRoute({
    method: 'post', path: '/auth/totp/verify', access: 'signed-in', openTo: 'inactive',
    summary: 'Proves a code of the authenticator app; the first one makes the app a factor, and shows the recovery codes, once.',
    body: z.strictObject({ code }), reply: proof.extend({ recovery_codes: recoveryCodes.nullable() }),
  }),
  useRecoveryCode: defineRoute({
    method: 'post', path: '/auth/recovery', access: 'signed-in', openTo: 'inactive', summary: 'Proves a recovery code, which is then used up.',
    body: z.strictObject({ code }), reply: proof,
  }),
  enableTotp: defineRoute({
    method: 'post', path: '/auth/totp/enable', access: 'signed-in', openTo: 'inactive', fresh: true,
    summary: 'Creates a secret for an authenticator app, and shows it once; a code of the app makes it a factor.',
    body: nothing, reply: z.strictObject({ object: z.literal('totp_enrolment'), secret: z.string(), uri: z.string() }),
  }),
  disableTotp: defineRoute({
    method: 'post', path: '/auth/totp/disable', access: 'owner', status: 204, fresh: true, summary: 'Removes the authenticator app and its recovery codes.',
    body: nothing,
  }),
  renewRecoveryCodes: defineRoute({
    method: 'post', path: '/auth/recovery-codes', access: 'owner', fresh: true, summary: 'Creates new recovery codes, and shows them once; the earlier ones become invalid.',
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
    summary: 'Mails a link to the current address, by which the person confirms the new one.', body: z.strictObject({ email }),
    reply: z.strictObject({ object: z.literal('accepted') }),
  }),
  confirmChangeEmail: defineRoute({
    method: 'post', path: '/auth/confirm-change-email', access: 'anyone', attempts: 'token',
    summary: 'Accepts the link sent to the current address, and mails one to the new address; accepts that link, and changes the address.',
    body: z.strictObject({ token }), reply: z.strictObject({ object: z.literal('address_change'), state: z.enum(['confirmed', 'changed']) }),
  }),
} as const;
