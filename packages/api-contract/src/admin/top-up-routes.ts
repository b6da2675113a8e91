import { automaticTopUp } from '../shapes/automatic-top-up.js';
import { accountParams } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

export const adminTopUpRoutes = {
  readAutomaticTopUp: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/automatic-top-up', access: 'accounts:read', summary: 'Automatic top-up of an account: what its owner has chosen, the last charge and what it waits for.', params: accountParams, reply: automaticTopUp,
  }),
} as const;
