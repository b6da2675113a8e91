import { contract } from '@tollgate/api-contract';
import { encodeCredits } from '@tollgate/wire-kit';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { findAccount } from './account-views.js';

export function creditEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { credits } = ports;
  return [
    endpoint(contract.listCredits)(async ({ visitor: { account } }) => encodeCredits(await credits.list(account.id))),
    endpoint(contract.listCreditsOfAccount)(async ({ params: { id } }) => encodeCredits(await credits.list((await findAccount(id, ports)).id))),
  ];
}
