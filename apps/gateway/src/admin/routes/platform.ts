import { type AccountId, GatewayError } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import {
  blockSubject, clearIncidentLimit, endBlock, findBlockOf, incidentLimitsInForce, listBlocks, maintenanceNow, refuseOwnNetwork, setIncidentLimit, setMaintenance,
} from '../../dashboard/routes/platform.js';
import { type AdminEndpoint, adminChange, adminEndpoint } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { refuseOperatorsAccount } from '../call/refuse-operators-account.js';

/** Endpoints for blocks, maintenance and incident limits. */
export function platformEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  return [
    adminEndpoint(adminContract.listBlocks)(({ query }) => listBlocks(query, ports)),
    adminChange(adminContract.block)(async ({ body, actor }) => {
      if (body.kind === 'network') refuseOwnNetwork(body.subject, actor.origin.address ?? '');
      const account = body.kind === 'account' ? await ports.accounts.findById(body.subject as AccountId) : null;
      if (account !== null) await refuseOperatorsAccount(account, 'block', ports);
      return blockSubject(body, actor, ports);
    }, ({ body }) => findBlockOf(body, ports)),
    adminChange(adminContract.unblock)(({ params, actor }) => endBlock(params.id, actor, ports), () => Promise.resolve()),
    adminEndpoint(adminContract.readMaintenance)(() => Promise.resolve(maintenanceNow(ports))),
    adminChange(adminContract.setMaintenance)(({ body, actor }) => setMaintenance(body, actor, ports), () => Promise.resolve(maintenanceNow(ports))),
    adminChange(adminContract.endMaintenance)(({ actor }) => setMaintenance({ state: 'off' }, actor, ports), () => Promise.resolve(maintenanceNow(ports))),
    adminEndpoint(adminContract.listIncidentLimits)(async () => ({ object: 'list', data: await incidentLimitsInForce(ports), has_more: false, next_cursor: null })),
    adminChange(adminContract.setIncidentLimit)(({ body, actor }) => setIncidentLimit(body, actor, ports), async (_call, { subject: model }) => {
      const limit = (await incidentLimitsInForce(ports)).find((each) => each.model === model);
      if (limit === undefined) throw new GatewayError('not_found', 'The incident limit has ended.');
      return limit;
    }),
    adminChange(adminContract.clearIncidentLimit)(({ params, actor }) => clearIncidentLimit(params.model, actor, ports), () => Promise.resolve()),
  ];
}
