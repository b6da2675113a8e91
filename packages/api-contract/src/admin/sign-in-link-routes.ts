import { z } from 'zod';
import { id, instant } from '../definition/field-schemas.js';
import { accountParams } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

/** Path and query of a dashboard page, in characters that need no escape. Only the query may have dots, so that no path leaves `/dashboard`. */
const dashboardPath = z.string().max(500).regex(/^\/dashboard(?:\/[A-Za-z0-9_-]+)*(?:\?[A-Za-z0-9._~%=&+:,-]*)?$/, 'must be a path under /dashboard');

export const signInLinkRoutes = {
  createSignInLink: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/sign-in-links', access: 'sign-in:write', status: 201, codes: ['session_required'], secret: 'url',
    summary: 'A link that signs the owner of an account in to the dashboard, once and within 60 seconds. It replaces an unused one of the account. Only the first response contains it.',
    params: accountParams,
    body: z.strictObject({ return_to: dashboardPath.optional().describe('The page to show after the sign-in, such as `/dashboard/keys`; the overview if it is missing.') }),
    reply: z.strictObject({
      object: z.literal('sign_in_link').describe('The kind of object.'),
      account_id: id.describe('The id of the account.'),
      url: z.string().nullable().describe('The link, for the browser of the owner; `null` when the reply is sent again.'),
      expires_at: instant.describe('When the link stops working.'),
    }).meta({ id: 'SignInLink', description: 'A one-time link to the dashboard of an owner.' }),
  }),
} as const;
