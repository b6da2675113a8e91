import { readFileSync } from 'node:fs';
import { contract, describeApi, type OpenApiDocument } from '@tollgate/dashboard-contract';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-call.js';
import { accountKeyEndpoints, operatorPeopleEndpoints, standingEndpoints } from './operator-people.js';
import { operatorAccountEndpoints } from './operator-accounts.js';
import { auditEndpoints, moneyEndpoints } from './operator-money.js';
import { accountEndpoints, meEndpoints } from './own-account.js';
import { keyEndpoints } from './keys.js';
import { credentialEndpoints, factorEndpoints, passkeyEndpoints } from './credentials.js';
import { entryEndpoints, issuerEndpoints, sessionEndpoints } from './sign-in.js';
import { blockEndpoints, maintenanceEndpoints } from './platform.js';
import { booksEndpoints, liveEndpoint, mailEndpoints, upstreamEndpoints } from './operations.js';
import { modelEndpoints, playgroundEndpoints } from './playground.js';
import { usageEndpoints } from './usage.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Of the gateway. */
const VERSION = version;

/** The description of all routes, made at the first request for it. */
function descriptionEndpoints({ address }: DashboardPorts): readonly DashboardEndpoint[] {
  let description: OpenApiDocument | null = null;
  return [
    endpoint(contract.describe)(async () => {
      description ??= describeApi({ version: VERSION, cookieName: address.cookieForm.name });
      return description;
    }),
  ];
}

function operationEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...blockEndpoints(ports), ...maintenanceEndpoints(ports), ...upstreamEndpoints(ports), ...booksEndpoints(ports), ...mailEndpoints(ports), liveEndpoint(ports),
  ];
}

/** Everything that the dashboard's API answers. */
export function dashboardEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...descriptionEndpoints(ports),
    ...sessionEndpoints(ports),
    ...entryEndpoints(ports),
    ...factorEndpoints(ports),
    ...credentialEndpoints(ports),
    ...passkeyEndpoints(ports),
    ...issuerEndpoints(ports),
    ...meEndpoints(ports),
    ...accountEndpoints(ports),
    ...keyEndpoints(ports),
    ...modelEndpoints(ports),
    ...playgroundEndpoints(ports),
    ...usageEndpoints(ports),
    ...operatorAccountEndpoints(ports),
    ...moneyEndpoints(ports),
    ...standingEndpoints(ports),
    ...accountKeyEndpoints(ports),
    ...operatorPeopleEndpoints(ports),
    ...auditEndpoints(ports),
    ...operationEndpoints(ports),
  ];
}
