import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { issuedWebhook, webhook, webhookChange, webhookDelivery, webhookParams as params, webhookResend, webhookTerms } from '../shapes/webhook.js';
import { defineAdminRoute } from './admin-route.js';

const issued = issuedWebhook.extend({ secret: z.string().nullable().describe('The secret that signs: `whsec_…`; `null` when the reply is sent again.') });

/** Routes of the operators' webhooks. */
export const adminWebhookRoutes = {
  listWebhooks: defineAdminRoute({ method: 'get', path: '/webhooks', access: 'webhooks:write', summary: 'The webhooks of the operators, newest first.', reply: pageOf(webhook) }),
  createWebhook: defineAdminRoute({
    method: 'post', path: '/webhooks', access: 'webhooks:write', status: 201, summary: 'Creates a webhook for the events of all accounts and of the platform. Only the first response contains its secret.',
    body: webhookTerms, reply: issued,
  }),
  readWebhook: defineAdminRoute({ method: 'get', path: '/webhooks/{id}', access: 'webhooks:write', summary: 'One webhook of the operators.', params, reply: webhook }),
  changeWebhook: defineAdminRoute({
    method: 'patch', path: '/webhooks/{id}', access: 'webhooks:write', summary: 'Changes a webhook, or disables or enables it; omitted fields keep their values.', params, body: webhookChange, reply: webhook,
  }),
  deleteWebhook: defineAdminRoute({ method: 'delete', path: '/webhooks/{id}', access: 'webhooks:write', status: 204, summary: 'Deletes a webhook and its deliveries.', params }),
  rotateWebhook: defineAdminRoute({
    method: 'post', path: '/webhooks/{id}/rotate', access: 'webhooks:write', status: 201,
    summary: 'Replaces the secret; the old one signs too for 24 hours. Only the first response contains the new secret.', params, reply: issued,
  }),
  testWebhook: defineAdminRoute({ method: 'post', path: '/webhooks/{id}/test', access: 'webhooks:write', status: 202, summary: 'Sends an event `webhook.test` to an active webhook; its deliveries show what becomes of it.', params, reply: webhook }),
  listWebhookDeliveries: defineAdminRoute({
    method: 'get', path: '/webhooks/{id}/deliveries', access: 'webhooks:write', summary: 'Deliveries of the last 30 days, newest first.', params,
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.webhookDeliveries.admin).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }),
    reply: pageOf(webhookDelivery),
  }),
  resendWebhook: defineAdminRoute({
    method: 'post', path: '/webhooks/{id}/resend', access: 'webhooks:write', status: 202, summary: 'Sends one event again, or all since a time that were not delivered. Enables a disabled webhook.', params,
    query: webhookResend, reply: webhook,
  }),
} as const;
