import { adminContract } from '@tollgate/api-contract';
import { viewTopUp } from '../../dashboard/routes/automatic-top-up.js';
import { findAccount } from '../call/find-account.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

export function automaticTopUpEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  return [adminEndpoint(adminContract.readAutomaticTopUp)(async (call) => viewTopUp((await findAccount(call, ports)).id, ports.topUps))];
}
