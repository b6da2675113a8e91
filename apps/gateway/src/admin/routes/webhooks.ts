import { adminContract } from '@tollgate/api-contract';
import { encodeWebhook } from '@tollgate/wire-kit';
import {
  changeWebhook, createWebhook, deleteWebhook, findWebhook, listDeliveries, listWebhooks, nameOf, resendWebhook, rotateWebhook, testWebhook,
} from '../../dashboard/routes/webhooks.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';

/** Endpoints for the operators' webhooks. */
export function webhookEndpoints({ webhooks, clock }: AdminPorts): readonly AdminEndpoint[] {
  const present = async (id: string) => encodeWebhook(await findWebhook(nameOf(null, id), webhooks));
  return [
    adminEndpoint(adminContract.listWebhooks)(async () => listWebhooks(null, webhooks)),
    adminEndpoint(adminContract.readWebhook)(async ({ params: { id } }) => present(id)),
    adminEndpoint(adminContract.listWebhookDeliveries)(async ({ params: { id }, query }) => listDeliveries(nameOf(null, id), query, webhooks)),
    adminChange(adminContract.createWebhook)(async ({ actor, body }) => createWebhook({ owner: null, body }, webhooks, { actor, at: clock.now() }),
      async (_call, { subject }) => ({ ...await present(subject), secret: null })),
    adminChange(adminContract.changeWebhook)(async ({ actor, params: { id }, body }) => changeWebhook({ name: nameOf(null, id), body }, webhooks, { actor, at: clock.now() }),
      async ({ params: { id } }) => present(id)),
    adminChange(adminContract.deleteWebhook)(async ({ actor, params: { id } }) => deleteWebhook(nameOf(null, id), webhooks, { actor, at: clock.now() }), () => Promise.resolve()),
    adminChange(adminContract.rotateWebhook)(async ({ actor, params: { id } }) => rotateWebhook(nameOf(null, id), webhooks, { actor, at: clock.now() }),
      async ({ params: { id } }) => ({ ...await present(id), secret: null })),
    adminChange(adminContract.testWebhook)(async ({ actor, params: { id } }) => testWebhook(nameOf(null, id), webhooks, { actor, at: clock.now() }), async ({ params: { id } }) => present(id)),
    adminChange(adminContract.resendWebhook)(async ({ actor, params: { id }, query }) => resendWebhook({ name: nameOf(null, id), query }, webhooks, { actor, at: clock.now() }),
      async ({ params: { id } }) => present(id)),
  ];
}
