import { type AuditedBy, type EventId, GatewayError, instant, type Webhook, type WebhookId, type WebhookOwner } from '@tollgate/core';
import { type BodyOf, contract, type QueryOf } from '@tollgate/api-contract';
import type { IssuedWebhook, WebhookName, Webhooks } from '@tollgate/identity';
import { encodeWebhook, encodeWebhookDelivery } from '@tollgate/wire-kit';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

export function webhookEndpoints({ webhooks, clock }: Pick<DashboardPorts, 'webhooks' | 'clock'>): readonly DashboardEndpoint[] {
  const by = (call: DashboardCall) => ({ actor: actorOf(call, 'owner'), at: clock.now() });
  return [
    endpoint(contract.listWebhooks)(async ({ visitor: { account } }) => listWithNewest(account.id, webhooks)),
    endpoint(contract.createWebhook)(async ({ visitor: { account }, call, body }) => createWebhook({ owner: account.id, body }, webhooks, by(call))),
    endpoint(contract.readWebhook)(async ({ visitor: { account }, params: { id } }) => encodeWebhook(await findWebhook(nameOf(account.id, id), webhooks))),
    endpoint(contract.changeWebhook)(async ({ visitor: { account }, call, params: { id }, body }) => changeWebhook({ name: nameOf(account.id, id), body }, webhooks, by(call))),
    endpoint(contract.deleteWebhook)(async ({ visitor: { account }, call, params: { id } }) => deleteWebhook(nameOf(account.id, id), webhooks, by(call))),
    endpoint(contract.rotateWebhook)(async ({ visitor: { account }, call, params: { id } }) => rotateWebhook(nameOf(account.id, id), webhooks, by(call))),
    endpoint(contract.testWebhook)(async ({ visitor: { account }, call, params: { id } }) => testWebhook(nameOf(account.id, id), webhooks, by(call))),
    endpoint(contract.listWebhookDeliveries)(async ({ visitor: { account }, params: { id }, query }) => listDeliveries(nameOf(account.id, id), query, webhooks)),
    endpoint(contract.resendWebhook)(async ({ visitor: { account }, call, params: { id }, query }) => resendWebhook({ name: nameOf(account.id, id), query }, webhooks, by(call))),
  ];
}

export function operatorWebhookEndpoints({ webhooks, clock }: Pick<DashboardPorts, 'webhooks' | 'clock'>): readonly DashboardEndpoint[] {
  const by = (call: DashboardCall) => ({ actor: actorOf(call, 'operator'), at: clock.now() });
  return [
    endpoint(contract.listOperatorWebhooks)(async () => listWithNewest(null, webhooks)),
    endpoint(contract.createOperatorWebhook)(async ({ call, body }) => createWebhook({ owner: null, body }, webhooks, by(call))),
    endpoint(contract.readOperatorWebhook)(async ({ params: { id } }) => encodeWebhook(await findWebhook(nameOf(null, id), webhooks))),
    endpoint(contract.changeOperatorWebhook)(async ({ call, params: { id }, body }) => changeWebhook({ name: nameOf(null, id), body }, webhooks, by(call))),
    endpoint(contract.deleteOperatorWebhook)(async ({ call, params: { id } }) => deleteWebhook(nameOf(null, id), webhooks, by(call))),
    endpoint(contract.rotateOperatorWebhook)(async ({ call, params: { id } }) => rotateWebhook(nameOf(null, id), webhooks, by(call))),
    endpoint(contract.testOperatorWebhook)(async ({ call, params: { id } }) => testWebhook(nameOf(null, id), webhooks, by(call))),
    endpoint(contract.listOperatorWebhookDeliveries)(async ({ params: { id }, query }) => listDeliveries(nameOf(null, id), query, webhooks)),
    endpoint(contract.resendOperatorWebhook)(async ({ call, params: { id }, query }) => resendWebhook({ name: nameOf(null, id), query }, webhooks, by(call))),
  ];
}

function noSuchWebhook(): GatewayError {
  return new GatewayError('not_found', 'There is no such webhook.');
}

export function nameOf(owner: WebhookOwner, id: string): WebhookName {
  return { owner, id: id as WebhookId };
}

/** Throws `not_found`. */
export async function findWebhook(name: WebhookName, webhooks: Webhooks): Promise<Webhook> {
  const webhook = await webhooks.find(name);
  if (webhook === null) throw noSuchWebhook();
  return webhook;
}

export async function listWebhooks(owner: WebhookOwner, webhooks: Webhooks) {
  return { object: 'list' as const, data: (await webhooks.list(owner)).map(encodeWebhook), has_more: false, next_cursor: null };
}

/** Lists all webhooks, which are few, with the newest delivery of each. */
async function listWithNewest(owner: WebhookOwner, webhooks: Webhooks) {
  const list = await listWebhooks(owner, webhooks);
  const data = await Promise.all(list.data.map(async (webhook) => {
    const newest = (await webhooks.deliveries(nameOf(owner, webhook.id), { limit: 1, after: null }))?.deliveries[0];
    return { ...webhook, last_delivery: newest === undefined ? null : encodeWebhookDelivery(newest) };
  }));
  return { ...list, data };
}

type CreationBody = BodyOf<typeof contract.createWebhook>;
type ChangeBody = BodyOf<typeof contract.changeWebhook>;
type ResendQuery = QueryOf<typeof contract.resendWebhook>;
type DeliveriesQuery = QueryOf<typeof contract.listWebhookDeliveries>;

export async function createWebhook({ owner, body }: { readonly owner: WebhookOwner; readonly body: CreationBody }, webhooks: Webhooks, by: AuditedBy) {
  return encodeIssued(await webhooks.create({ owner, ...body }, by));
}

export async function changeWebhook({ name, body: { url, types, description, status } }: { readonly name: WebhookName; readonly body: ChangeBody }, webhooks: Webhooks, by: AuditedBy) {
  const webhook = await webhooks.change(name, {
    ...(url === undefined ? {} : { url }), ...(types === undefined ? {} : { types }), ...(description === undefined ? {} : { description }), ...(status === undefined ? {} : { active: status === 'active' }),
  }, by);
  if (webhook === null) throw noSuchWebhook();
  return encodeWebhook(webhook);
}

export async function deleteWebhook(name: WebhookName, webhooks: Webhooks, by: AuditedBy): Promise<void> {
  if (!await webhooks.delete(name, by)) throw noSuchWebhook();
}

export async function rotateWebhook(name: WebhookName, webhooks: Webhooks, by: AuditedBy) {
  const issued = await webhooks.rotate(name, by);
  if (issued === null) throw noSuchWebhook();
  return encodeIssued(issued);
}

export async function testWebhook(name: WebhookName, webhooks: Webhooks, by: AuditedBy) {
  const webhook = await findWebhook(name, webhooks);
  if (await webhooks.test(name, by) === null) throw new GatewayError('conflict', 'The webhook is disabled. Enable it first.');
  return encodeWebhook(webhook);
}

export async function listDeliveries(name: WebhookName, { limit, cursor }: DeliveriesQuery, webhooks: Webhooks) {
  await findWebhook(name, webhooks);
  const page = await webhooks.deliveries(name, { limit, after: cursor ?? null });
  if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return { object: 'list' as const, data: page.deliveries.map(encodeWebhookDelivery), has_more: page.next !== null, next_cursor: page.next };
}

export async function resendWebhook({ name, query: { since, event_id: eventId } }: { readonly name: WebhookName; readonly query: ResendQuery }, webhooks: Webhooks, by: AuditedBy) {
  const resend = since === undefined ? { eventId: (eventId ?? '') as EventId } : { since: instant(Date.parse(since)) };
  const outcome = await webhooks.resend(name, resend, by);
  if (outcome === 'no-such-webhook') throw noSuchWebhook();
  if (outcome === 'no-such-event') throw new GatewayError('not_found', 'There is no such event, or the webhook does not have it.', { param: 'event_id' });
  return encodeWebhook(await findWebhook(name, webhooks));
}

/** The only answers with the secret of a webhook. */
function encodeIssued({ webhook, secret }: IssuedWebhook) {
  return { ...encodeWebhook(webhook), secret };
}
