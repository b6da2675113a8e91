import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, listOf, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { issuedWebhook, webhook, webhookChange, webhookDelivery, webhookParams as params, webhookResend, webhookTerms } from '../shapes/webhook.js';

const deliveriesQuery = z.strictObject({
  limit: pageLimit(PAGE_SIZES.webhookDeliveries.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.'),
});

const listedWebhook = webhook.extend({ last_delivery: webhookDelivery.nullable().describe('The newest delivery; `null` if there is none of the last 30 days.') })
  .meta({ id: 'ListedWebhook', description: 'A webhook and its newest delivery.' });

/**
 * Routes of an owner's webhooks. Setting an address or returning a secret requires a fresh proof: the address decides who receives events, and the
 * secret who can sign them.
 */
export const webhookRoutes = {
  listWebhooks: defineRoute({ method: 'get', path: '/webhooks', access: 'owner', summary: 'The webhooks of the account, newest first.', reply: listOf(listedWebhook) }),
  createWebhook: defineRoute({
    method: 'post', path: '/webhooks', access: 'owner', fresh: true, status: 201, summary: 'Creates a webhook. Only this response contains its secret.', body: webhookTerms, reply: issuedWebhook,
  }),
  readWebhook: defineRoute({ method: 'get', path: '/webhooks/{id}', access: 'owner', summary: 'One webhook.', params, reply: webhook }),
  changeWebhook: defineRoute({
    method: 'patch', path: '/webhooks/{id}', access: 'owner', fresh: true, summary: 'Changes a webhook, or disables or enables it; omitted fields keep their values.', params, body: webhookChange, reply: webhook,
  }),
  deleteWebhook: defineRoute({ method: 'delete', path: '/webhooks/{id}', access: 'owner', status: 204, summary: 'Deletes a webhook and its deliveries.', params }),
  rotateWebhook: defineRoute({
    method: 'post', path: '/webhooks/{id}/rotate', access: 'owner', fresh: true, status: 201,
    summary: 'Replaces the secret; the old one signs too for 24 hours. Only this response contains the new secret.', params, reply: issuedWebhook,
  }),
  testWebhook: defineRoute({ method: 'post', path: '/webhooks/{id}/test', access: 'owner', status: 202, summary: 'Sends an event `webhook.test` to an active webhook; its deliveries show what becomes of it.', params, reply: webhook }),
  listWebhookDeliveries: defineRoute({
    method: 'get', path: '/webhooks/{id}/deliveries', access: 'owner', summary: 'Deliveries of the last 30 days, newest first.', params, query: deliveriesQuery, reply: pageOf(webhookDelivery),
  }),
  resendWebhook: defineRoute({
    method: 'post', path: '/webhooks/{id}/resend', access: 'owner', status: 202, summary: 'Sends one event again, or all since a time that were not delivered. Enables a disabled webhook.', params,
    query: webhookResend, reply: webhook,
  }),
} as const;

/** Routes of the operators' webhooks. They require a fresh proof in the same cases as `webhookRoutes`. */
export const operatorWebhookRoutes = {
  listOperatorWebhooks: defineRoute({ method: 'get', path: '/operator/webhooks', access: 'operator', summary: 'The webhooks of the operators, newest first.', reply: listOf(listedWebhook) }),
  createOperatorWebhook: defineRoute({
    method: 'post', path: '/operator/webhooks', access: 'operator', fresh: true, status: 201,
    summary: 'Creates a webhook for the events of all accounts and of the platform. Only this response contains its secret.', body: webhookTerms, reply: issuedWebhook,
  }),
  readOperatorWebhook: defineRoute({ method: 'get', path: '/operator/webhooks/{id}', access: 'operator', summary: 'One webhook of the operators.', params, reply: webhook }),
  changeOperatorWebhook: defineRoute({
    method: 'patch', path: '/operator/webhooks/{id}', access: 'operator', fresh: true,
    summary: 'Changes a webhook of the operators, or disables or enables it; omitted fields keep their values.', params, body: webhookChange, reply: webhook,
  }),
  deleteOperatorWebhook: defineRoute({ method: 'delete', path: '/operator/webhooks/{id}', access: 'operator', status: 204, summary: 'Deletes a webhook of the operators and its deliveries.', params }),
  rotateOperatorWebhook: defineRoute({
    method: 'post', path: '/operator/webhooks/{id}/rotate', access: 'operator', fresh: true, status: 201,
    summary: 'Replaces the secret; the old one signs too for 24 hours. Only this response contains the new secret.', params, reply: issuedWebhook,
  }),
  testOperatorWebhook: defineRoute({
    method: 'post', path: '/operator/webhooks/{id}/test', access: 'operator', status: 202, summary: 'Sends an event `webhook.test` to an active webhook; its deliveries show what becomes of it.', params, reply: webhook,
  }),
  listOperatorWebhookDeliveries: defineRoute({
    method: 'get', path: '/operator/webhooks/{id}/deliveries', access: 'operator', summary: 'Deliveries of the last 30 days, newest first.', params, query: deliveriesQuery, reply: pageOf(webhookDelivery),
  }),
  resendOperatorWebhook: defineRoute({
    method: 'post', path: '/operator/webhooks/{id}/resend', access: 'operator', status: 202, summary: 'Sends one event again, or all since a time that were not delivered. Enables a disabled webhook.', params,
    query: webhookResend, reply: webhook,
  }),
} as const;
