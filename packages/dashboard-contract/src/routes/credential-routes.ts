import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { email, password, token } from '../values.js';

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
