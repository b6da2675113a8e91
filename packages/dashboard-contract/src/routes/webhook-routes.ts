import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, listOf, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { issuedWebhook, webhook, webhookChange, webhookDelivery, webhookParams as params, webhookResend, webhookTerms } from '../shapes/webhook.js';

/** Of the owner's account. */
export const webhookRoutes = {
  listWebhooks: defineRoute({ method: 'get', path: '/webhooks', access: 'owner', summary: 'The webhooks of the account, newest first.', reply: listOf(webhook) }),
  createWebhook: defineRoute({
    method: 'post', path: '/webhooks', access: 'owner', status: 201, summary: 'Creates a webhook. Only this response contains its secret.', body: webhookTerms, reply: issuedWebhook,
  }),
  readWebhook: defineRoute({ method: 'get', path: '/webhooks/{id}', access: 'owner', summary: 'One webhook.', params, reply: webhook }),
  changeWebhook: defineRoute({
    method: 'patch', path: '/webhooks/{id}', access: 'owner', summary: 'Changes a webhook, or disables or enables it; omitted fields keep their values.', params, body: webhookChange, reply: webhook,
  }),
  deleteWebhook: defineRoute({ method: 'delete', path: '/webhooks/{id}', access: 'owner', status: 204, summary: 'Deletes a webhook and its deliveries.', params }),
  rotateWebhook: defineRoute({
    method: 'post', path: '/webhooks/{id}/rotate', access: 'owner', status: 201, summary: 'Replaces the secret; the old one signs too for 24 hours. Only this response contains the new secret.', params,
    reply: issuedWebhook,
  }),
  testWebhook: defineRoute({ method: 'post', path: '/webhooks/{id}/test', access: 'owner', status: 202, summary: 'Sends an event `webhook.test` to an active webhook; its deliveries show what becomes of it.', params, reply: webhook }),
  listWebhookDeliveries: defineRoute({
    method: 'get', path: '/webhooks/{id}/deliveries', access: 'owner', summary: 'Deliveries of the last 30 days, newest first.', params,
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.webhookDeliveries.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }),
    reply: pageOf(webhookDelivery),
  }),
  resendWebhook: defineRoute({
    method: 'post', path: '/webhooks/{id}/resend', access: 'owner', status: 202, summary: 'Sends one event again, or all since a time that were not delivered. Enables a disabled webhook.', params,
    query: webhookResend, reply: webhook,
  }),
} as const;
