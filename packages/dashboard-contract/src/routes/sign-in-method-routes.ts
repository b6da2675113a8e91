import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { id, instant, label } from '../values.js';
import { signUpPolicy } from './account-routes.js';
import { sessionReach, signedIn } from './session-routes.js';

/** What `PublicKeyCredential.toJSON` gives; the protocol's library judges it. */
const answer = z.record(z.string(), z.unknown());
/** For `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
const options = z.strictObject({ object: z.literal('passkey_options'), public_key: z.record(z.string(), z.unknown()) });
const nothing = z.strictObject({});

const passkey = z.strictObject({ id, object: z.literal('passkey'), name: z.string(), backed_up: z.boolean(), created_at: instant, last_used_at: instant.nullable() });

export const signInMethodRoutes = {
  signInMethods: defineRoute({
    method: 'get', path: '/auth/methods', access: 'anyone', summary: 'The ways to sign in beside a password, and who may sign up.',
    reply: z.strictObject({
      object: z.literal('sign_in_methods'),
      /** Why there are none, where there are none: browsers make passkeys for names only, over https or on `localhost`. */
      passkeys: z.enum(['available', 'ip-address', 'insecure-address', 'no-secret']),
      issuer: z.strictObject({ name: z.string() }).nullable(),
      sign_up: signUpPolicy,
      /** Whether messages go to a mail server; else they become files on the gateway's machine. */
      mail: z.boolean(),
    }),
  }),
  passkeySignInOptions: defineRoute({
    method: 'get', path: '/auth/passkeys/sign-in-options', access: 'anyone', wayIn: true, summary: 'A challenge for any passkey of this installation, good for five minutes.',
    reply: options,
  }),
  signInByPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys/sign-in', access: 'anyone', wayIn: true, summary: 'Begins a session with a passkey, which counts as two factors.',
    body: z.strictObject({ answer }), reply: signedIn,
  }),
  passkeyOptions: defineRoute({
    method: 'post', path: '/auth/passkeys/options', access: 'signed-in', openTo: 'inactive', fresh: true, summary: 'A challenge for a new passkey, good for five minutes in this session.',
    body: nothing, reply: options,
  }),
  addPasskey: defineRoute({
    method: 'post', path: '/auth/passkeys', access: 'signed-in', openTo: 'inactive', fresh: true, status: 201, summary: 'Adds a passkey, which raises the session; its cookie is a new one.',
    body: z.strictObject({ name: label(100), answer }),
    reply: z.strictObject({ object: z.literal('passkey_added'), passkey, reach: sessionReach, factors: z.array(z.enum(['totp', 'passkey'])).readonly() }),
  }),
  listPasskeys: defineRoute({
    method: 'get', path: '/auth/passkeys', access: 'owner', summary: "The person's passkeys, oldest first.",
    reply: z.strictObject({ object: z.literal('list'), data: z.array(passkey).readonly(), has_more: z.literal(false) }),
  }),
  renamePasskey: defineRoute({
    method: 'patch', path: '/auth/passkeys/{id}', access: 'owner', status: 204, summary: 'Renames a passkey.', params: z.strictObject({ id }),
    body: z.strictObject({ name: label(100) }),
  }),
  removePasskey: defineRoute({
    method: 'delete', path: '/auth/passkeys/{id}', access: 'owner', openTo: 'inactive', status: 204, summary: 'Removes a passkey; the last second factor with a fresh proof only.',
    params: z.strictObject({ id }),
  }),
  issuerStart: defineRoute({
    method: 'get', path: '/auth/oidc/start', access: 'anyone', wayIn: true, status: 303, summary: 'Sends the browser to the OpenID Connect issuer.',
  }),
  issuerCallback: defineRoute({
    method: 'get', path: '/auth/callback/oidc', access: 'anyone', wayIn: true, status: 303,
    summary: 'Where the issuer sends the browser back to. Leads to the dashboard with a session, or to the sign-in page with the reason in `refused`.',
  }),
} as const;
