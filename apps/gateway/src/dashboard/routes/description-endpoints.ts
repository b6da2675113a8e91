import { contract, describeApi, type OpenApiDocument } from '@tollgate/dashboard-contract';
import { VERSION } from '../call/version.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';

/** The description of all routes, made at the first request for it. */
export function descriptionEndpoints({ address }: DashboardPorts): readonly DashboardEndpoint[] {
  let description: OpenApiDocument | null = null;
  return [
    endpoint(contract.describe)(async () => {
      description ??= describeApi({ version: VERSION, cookieName: address.cookieForm.name });
      return description;
    }),
  ];
}
