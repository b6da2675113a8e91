import { contract } from '@tollgate/dashboard-contract';
import { isInPlan } from '@tollgate/core';
import { encodeModel } from '../../routes/models/encode-model.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';

/** What the gateway serves, also outside the account's plan. */
export function modelEndpoints({ catalogue: source }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listModels)(async ({ visitor: { plan } }) => {
      const catalogue = source.current();
      const data = catalogue.models.map((model) => ({ ...encodeModel(model, catalogue), in_plan: isInPlan(model, plan) }));
      return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    }),
  ];
}
