import { z } from 'zod';
import { defineRoute } from '../definition/route-contract.js';
import { displayName, email, id, instant, password, token } from '../definition/field-schemas.js';

/** Who may sign up: everyone, invited people, or no one. */
export const signUpPolicy = z.enum(['open', 'invitation', 'closed']);

export const session = z.strictObject({
  id: id.describe('The id of the session.'),
  object: z.literal('session').describe('The kind of object.'),
  is_current: z.boolean().describe('Whether it is the session of this request.'),
  signed_in_by: z.enum(['password', 'link', 'passkey', 'issuer', 'confirmed', 'machine']).describe('How the session began.'),
  created_at: instant.describe('When the session began.'),
  last_used_at: instant.describe('When it was last used.'),
  address: z.string().describe('The address that it was last used from.'),
  user_agent: z.string().nullable().describe('The browser; `null` if it did not say.'),
  via: z.string().nullable().describe('The machine whose link began the session, `machine:…`; `null` for every other way.'),
}).meta({ id: 'Session', description: 'A browser that is signed in.' });

/** What a session may do: everything, or only the named act. */
export const sessionReach = z.enum(['full', 'prove-factor', 'enrol-factor', 'operator-link']);

/** A session that began. */
const signedIn = z.strictObject({ object: z.literal('sign_in').describe('The kind of object.'), reach: sessionReach.describe('What the session has proved so far.'), factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that can be proved.') });

export const sessionRoutes = {
  signIn: defineRoute({
    method: 'post', path: '/auth/sign-in', access: 'anyone', attempts: 'email', wayIn: true, summary: 'Begins a session with e-mail address and password.',
    body: z.strictObject({ email: email.describe('The address of the person.'), password: password.describe('The password.') }), reply: signedIn,
  }),
  signInByLink: defineRoute({
    method: 'post', path: '/auth/link', access: 'anyone', attempts: 'token', wayIn: true, summary: 'Begins a session with the token of a one-time link.',
    body: z.strictObject({ token: token.describe('The token of a sign-in link.') }), reply: signedIn,
  }),
  currentSession: defineRoute({
    method: 'get', path: '/auth/session', access: 'signed-in', summary: 'The session of this browser.',
    reply: z.strictObject({ object: z.literal('session_state').describe('The kind of object.'), session: session.describe('The session.'), reach: sessionReach.describe('What the session has proved so far.'), factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that can be proved.') }),
  }),
  signOut: defineRoute({
    method: 'post', path: '/auth/sign-out', access: 'signed-in', openTo: 'inactive', status: 204, summary: 'Ends the session of this browser.',
  }),
  signOutEverywhere: defineRoute({
    method: 'post', path: '/auth/sign-out-everywhere', access: 'owner', openTo: 'inactive', status: 204, summary: 'Ends all sessions of the person.',
  }),
  listSessions: defineRoute({
    method: 'get', path: '/sessions', access: 'owner', summary: 'The active sessions of the person, most recently used first.',
    reply: z.strictObject({ object: z.literal('list').describe('The kind of object.'), data: z.array(session).readonly().describe('The sessions of the person.'), has_more: z.literal(false).describe('Always `false`: the list is complete.') }),
  }),
  endSession: defineRoute({
    method: 'delete', path: '/sessions/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Ends one session of the person.',
    params: z.strictObject({ id: id.describe('The id of the session.') }),
  }),
} as const;

/** Language of messages and pages. */
export const language = z.enum(['en', 'de']);

/** The same reply whether or not the address has an account. */
const accepted = z.strictObject({ object: z.literal('accepted').describe('The kind of object.') });

/** A person who has proved an address. `sign_in` is `null` if no session could begin, so that the browser must sign in. */
const entry = z.strictObject({ object: z.literal('entry').describe('The kind of object.'), email: email.describe('The address of the person.'), sign_in: signedIn.nullable().describe('The session that began; `null` if the person has to sign in.') });

const tokenWithPassword = z.strictObject({ token: token.describe('The token of the link.'), password: password.describe('The password.') });

export const entryRoutes = {
  signUp: defineRoute({
    method: 'post', path: '/auth/sign-up', access: 'anyone', attempts: 'email', wayIn: true, status: 202, summary: 'Signs up, and mails a link to verify the address.',
    body: z.strictObject({ email: email.describe('The address of the person.'), name: displayName.describe('The name of the person and of the account.'), password: password.describe('The password.'), language: language.optional().describe('Of messages to the person; English without it.') }), reply: accepted,
  }),
  resendVerification: defineRoute({
    method: 'post', path: '/auth/resend', access: 'anyone', attempts: 'email', status: 202, summary: 'Mails the link to verify an address again.',
    body: z.strictObject({ email: email.describe('The address of the person.') }), reply: accepted,
  }),
  verifyEmail: defineRoute({
    method: 'post', path: '/auth/verify-email', access: 'anyone', attempts: 'token', wayIn: true,
    summary: 'Verifies an address with the token of its link and the password of the sign-up, and begins a session.', body: tokenWithPassword, reply: entry,
  }),
  disown: defineRoute({
    method: 'post', path: '/auth/disown', access: 'anyone', attempts: 'token', status: 204, summary: 'Removes a sign-up that the owner of the address did not make.',
    body: z.strictObject({ token: token.describe('The token of the link.') }),
  }),
  requestReset: defineRoute({
    method: 'post', path: '/auth/reset-request', access: 'anyone', attempts: 'email', status: 202, summary: 'Mails a link to choose a new password.',
    body: z.strictObject({ email: email.describe('The address of the person.') }), reply: accepted,
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

/** Result of `PublicKeyCredential.toJSON`; the protocol's library validates it. */
const answer = z.record(z.string(), z.unknown());
/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
const options = z.strictObject({ object: z.literal('passkey_options').describe('The kind of object.'), public_key: z.record(z.string(), z.unknown()).describe('Input of the browser’s passkey function.') });
const nothing = z.strictObject({});

const passkey = z.strictObject({ id: id.describe('The id of the passkey.'), object: z.literal('passkey').describe('The kind of object.'), name: z.string().describe('The name that the person has given.'), backed_up: z.boolean().describe('Whether the passkey is synchronised between devices.'), created_at: instant.describe('When it was added.'), last_used_at: instant.nullable().describe('When it was last used; `null` if never.') });

export const signInMethodRoutes = {
  signInMethods: defineRoute({
    method: 'get', path: '/auth/methods', access: 'anyone', summary: 'The sign-in methods besides a password, and who may sign up.',
    reply: z.strictObject({
      object: z.literal('sign_in_methods').describe('The kind of object.'),
      passkeys: z.enum(['available', 'ip-address', 'insecure-address', 'no-secret']).describe('Why there are none, where there are none: browsers make passkeys for names only, over https or on `localhost`.'),
      issuer: z.strictObject({ name: z.string().describe('The name of the issuer.') }).nullable().describe('The OpenID Connect issuer; `null` for none.'),
      sign_up: signUpPolicy.describe('Who may sign up.'),
      mail: z.boolean().describe('Whether messages go to a mail server; else they become files on the gateway’s machine.'),
      first_operator: z.string().nullable().describe('The command that makes the first operator, while there is none; else `null`.'),
    }),
  }),
  passkeySignInOptions: defineRoute({
    method: 'get', path: '/auth/passkeys/sign-in-options', access: 'anyone', wayIn: true, summary: 'A challenge for any passkey of this installation, valid for five minutes.',
    reply: options,
  }),
  signInByPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys/sign-in', access: 'anyone', wayIn: true, summary: 'Begins a session with a passkey, which counts as two factors.',
    body: z.strictObject({ answer: answer.describe('Output of the browser’s passkey function.') }), reply: signedIn,
  }),
  passkeyOptions: defineRoute({
    method: 'post', path: '/auth/passkeys/options', access: 'signed-in', openTo: 'inactive', fresh: true, summary: 'A challenge for a new passkey, valid for five minutes in this session.',
    body: nothing, reply: options,
  }),
  addPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys', access: 'signed-in', openTo: 'inactive', fresh: true, status: 201, summary: 'Adds a passkey, which raises the assurance of the session, and sets a new cookie.',
    body: z.strictObject({ name: displayName.describe('A name for the passkey.'), answer: answer.describe('Output of the browser’s passkey function.') }),
    reply: z.strictObject({ object: z.literal('passkey_added').describe('The kind of object.'), passkey: passkey.describe('The passkey that was added.'), reach: sessionReach.describe('What the session has proved so far.'), factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that are set up.') }),
  }),
  listPasskeys: defineRoute({
    method: 'get', path: '/auth/passkeys', access: 'owner', summary: "The person's passkeys, oldest first.",
    reply: z.strictObject({ object: z.literal('list').describe('The kind of object.'), data: z.array(passkey).readonly().describe('The passkeys of the person.'), has_more: z.literal(false).describe('Always `false`: the list is complete.') }),
  }),
  renamePasskey: defineRoute({
    method: 'patch', path: '/auth/passkeys/{id}', access: 'owner', status: 204, summary: 'Renames a passkey.', params: z.strictObject({ id: id.describe('The id of the passkey.') }),
    body: z.strictObject({ name: displayName.describe('The new name.') }),
  }),
  removePasskey: defineRoute({
    method: 'delete', path: '/auth/passkeys/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Removes a passkey; the last second factor requires a fresh proof.',
    params: z.strictObject({ id: id.describe('The id of the passkey.') }),
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

/** A session after a further proof; it has a new cookie. */
const proof = z.strictObject({ object: z.literal('proof').describe('The kind of object.'), reach: sessionReach.describe('What the session has proved so far.'), factors: z.array(z.enum(['totp', 'passkey'])).readonly().describe('Second factors that are set up.') });

export const factorRoutes = {
  provePassword: defineRoute({
    method: 'post', path: '/auth/prove', access: 'signed-in', attempts: 'person', openTo: 'inactive', summary: 'Proves the password again, for acts that require a fresh proof.',
    body: z.strictObject({ password: password.describe('The password.') }), reply: proof,
  }),
  verifyTotp: defineRoute({
    method: 'post', path: '/auth/totp/verify', access: 'signed-in', openTo: 'inactive',
    summary: 'Proves a code of the authenticator app; the first one makes the app a factor, and shows the recovery codes, once.',
    body: z.strictObject({ code: code.describe('The code that the authenticator app shows.') }), reply: proof.extend({ recovery_codes: recoveryCodes.nullable().describe('New recovery codes, shown once; `null` if there are some already.') }),
  }),
  useRecoveryCode: defineRoute({
    method: 'post', path: '/auth/recovery', access: 'signed-in', openTo: 'inactive', summary: 'Proves a recovery code, which is then used up.',
    body: z.strictObject({ code: code.describe('One of the recovery codes.') }), reply: proof,
  }),
  enableTotp: defineRoute({
    method: 'post', path: '/auth/totp/enable', access: 'signed-in', openTo: 'inactive', fresh: true,
    summary: 'Creates a secret for an authenticator app, and shows it once; a code of the app makes it a factor.',
    body: nothing, reply: z.strictObject({ object: z.literal('totp_enrolment').describe('The kind of object.'), secret: z.string().describe('The secret for the authenticator app.'), uri: z.string().describe('The same as an address for a QR code.') }),
  }),
  disableTotp: defineRoute({
    method: 'post', path: '/auth/totp/disable', access: 'owner', status: 204, fresh: true, summary: 'Removes the authenticator app and its recovery codes.',
    body: nothing,
  }),
  renewRecoveryCodes: defineRoute({
    method: 'post', path: '/auth/recovery-codes', access: 'owner', fresh: true, summary: 'Creates new recovery codes, and shows them once; the earlier ones become invalid.',
    body: nothing, reply: z.strictObject({ object: z.literal('recovery_codes').describe('The kind of object.'), recovery_codes: recoveryCodes.describe('The new recovery codes, shown once.') }),
  }),
  factors: defineRoute({
    method: 'get', path: '/auth/factors', access: 'owner', summary: 'Since when the person has an authenticator app, and how many recovery codes are left.',
    reply: z.strictObject({ object: z.literal('factors').describe('The kind of object.'), totp_since: instant.nullable().describe('Since when an authenticator app is set up; `null` for none.'), recovery_codes_left: z.number().int().describe('Recovery codes that are not used yet.') }),
  }),
} as const;

export const credentialRoutes = {
  changePassword: defineRoute({
    method: 'post', path: '/auth/change-password', access: 'owner', attempts: 'person', status: 204,
    summary: 'Changes the password of the person, and ends their other sessions.', body: z.strictObject({ current_password: password.describe('The password as it is.'), new_password: password.describe('The new password.') }),
  }),
  changeEmail: defineRoute({
    method: 'post', path: '/auth/change-email', access: 'owner', fresh: true, attempts: 'person', status: 202,
    summary: 'Mails a link to the current address, by which the person confirms the new one.', body: z.strictObject({ email: email.describe('The new address.') }),
    reply: z.strictObject({ object: z.literal('accepted').describe('The kind of object.') }),
  }),
  confirmChangeEmail: defineRoute({
    method: 'post', path: '/auth/confirm-change-email', access: 'anyone', attempts: 'token',
    summary: 'Accepts the link sent to the current address, and mails one to the new address; accepts that link, and changes the address.',
    body: z.strictObject({ token: token.describe('The token of the link.') }), reply: z.strictObject({ object: z.literal('address_change').describe('The kind of object.'), state: z.enum(['confirmed', 'changed']).describe('Whether the other address must still confirm.') }),
  }),
} as const;
