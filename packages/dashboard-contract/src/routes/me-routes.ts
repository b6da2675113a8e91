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
  /** When a scheduled deletion is due. */
  deletion_due_at: instant.nullable(),
});

export const meRoutes = {
  me: defineRoute({
    method: 'get', path: '/me', access: 'signed-in', summary: 'Who is signed in, and what every page shows.',
    reply: z.strictObject({
      object: z.literal('me'),
      person,
      account: ownAccount,
      reach: sessionReach,
      settings: z.strictObject({ sign_up: z.enum(['open', 'invitation', 'closed']), public_url: z.string() }),
    }),
  }),
} as const;
