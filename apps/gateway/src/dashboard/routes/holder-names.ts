import { contract } from '@tollgate/api-contract';
import type { HolderLabel } from '@tollgate/core';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { idsIn } from './key-names.js';

/** Endpoint that returns names for ids in operators' lists. */
export function holderNameEndpoints({ administration: { lookups } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.nameHolders)(async ({ query: { ids } }) => {
      const labels = await lookups.holderLabels(idsIn(ids) as HolderLabel['id'][]);
      return { object: 'list', data: labels.map(({ id, name, email }) => ({ id, object: 'holder_name', name, email })), has_more: false };
    }),
  ];
}
