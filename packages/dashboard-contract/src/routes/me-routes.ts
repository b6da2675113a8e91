import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { email, id, instant } from '../values.js';
import { sessionReach } from './session-routes.js';

/** The person who is signed in. */
export const person = z.strictObject({
  id,
  object: z.literal('person'),
  email,
  name: z.string(),
  role: z.enum(['owner', 'operator']),
  factors: z.array(z.enum(['totp', 'passkey'])).readonly(),
  created_at: instant,
});

/** The person's account as far as every page shows it. */
export const ownAccount = z.strictObject({
  id,
  name: z.string(),
  standing: z.enum(['good', 'suspended', 'pending-deletion']),
  /** Why operators have suspended it, in their words. */
  standing_reason: z.string().nullable(),
  /** When a scheduled deletion is due. */
  deletion_due_at: instant.nullable(),
});

/** What is on top of every page while the service is restricted, or is going to be. */
export const banner = z.strictObject({
  kind: z.enum(['maintenance', 'incident']),
  state: z.enum(['planned', 'on']),
  from: instant,
  /** `null`: until an operator ends it. */
  until: instant.nullable(),
  /** Whole sentences without times: pages show `from` and `until` beside them, in the reader's zone. */
  text: z.string(),
});

/** Who may become a customer: anyone, whom an operator invites, or nobody. */
export const signUpPolicy = z.enum(['open', 'invitation', 'closed']);

/** What of the installation's settings the pages show or depend on. */
const settings = z.strictObject({
  sign_up: signUpPolicy,
  /** Origin of the dashboard. */
  public_url: z.string(),
  /** Base address of the API for snippets: clients of the chat format append `/v1`. */
  api_url: z.string(),
  require_second_factor: z.enum(['none', 'operators', 'everybody']),
  /** Whether messages go to a mail server; else they become files on the gateway's machine. */
  mail: z.boolean(),
  /** The operator's line on how to get credit: plain text with at most one https address. */
  credit_line: z.string().nullable(),
  /** Whole days from the request of an account's deletion until it is due; 0: it is due at once. */
  deletion_grace_days: z.number().int().min(0),
});

export const meRoutes = {
  me: defineRoute({
    method: 'get', path: '/me', access: 'signed-in', isPolled: true, summary: 'Who is signed in, and what every page shows. A request does not extend the session.',
    reply: z.strictObject({
      object: z.literal('me'),
      person,
      account: ownAccount,
      reach: sessionReach,
      /** Maintenance that is on or planned, or else incident limits on models of the account's plan. */
      banner: banner.nullable(),
      /** Under which usage of the playground is recorded; `null` until its first use. It is in no list of keys. */
      playground_key_id: id.nullable(),
      settings,
    }),
  }),
} as const;
