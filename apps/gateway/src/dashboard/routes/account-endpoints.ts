import { contract } from '@tollgate/dashboard-contract';
import { readAccountState } from '../../routes/account/account-state.js';
import { encodeAccount } from '../../routes/account/encode-account.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';

/** The account of the person who is signed in. */
export function accountEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.account)(async ({ visitor: { account, plan } }) => encodeAccount(await readAccountState({ account, plan, keyModels: null }, ports))),
  ];
}
