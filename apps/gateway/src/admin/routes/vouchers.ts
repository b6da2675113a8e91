import { adminContract } from '@tollgate/api-contract';
import { createBatch, encodeIssued, listBatches, listUses, readBatch, revokeBatch } from '../../dashboard/routes/vouchers.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';

export function voucherEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { vouchers, clock } = ports;
  return [
    adminEndpoint(adminContract.listVoucherBatches)(async ({ query }) => listBatches(query, ports)),
    adminEndpoint(adminContract.readVoucherBatch)(async ({ params: { id } }) => readBatch(id, ports)),
    adminEndpoint(adminContract.listVoucherUses)(async ({ params: { id }, query }) => listUses(id, query, ports)),
    adminChange(adminContract.createVouchers)(async ({ body, actor }) => {
      const by = { actor, at: clock.now() };
      return encodeIssued(await createBatch(body, vouchers, by), by.at);
    }, async (_call, { subject }) => ({ object: 'issued_vouchers', batch: await readBatch(subject, ports), codes: null })),
    adminChange(adminContract.revokeVoucherBatch)(async ({ params: { id }, actor }) => revokeBatch(id, vouchers, { actor, at: clock.now() }), async ({ params: { id } }) => readBatch(id, ports)),
  ];
}
