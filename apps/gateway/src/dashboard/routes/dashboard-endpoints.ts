import type { DashboardPorts } from '../call/dashboard-ports.js';
import type { DashboardEndpoint } from '../call/endpoint.js';
import { accountKeyEndpoints } from './accounts/account-key-endpoints.js';
import { operatorAccountEndpoints } from './accounts/account-endpoints.js';
import { auditEndpoints } from './accounts/audit-endpoints.js';
import { moneyEndpoints } from './accounts/money-endpoints.js';
import { operatorPeopleEndpoints } from './accounts/people-endpoints.js';
import { standingEndpoints } from './accounts/standing-endpoints.js';
import { accountEndpoints } from './account-endpoints.js';
import { descriptionEndpoints } from './description-endpoints.js';
import { keyEndpoints } from './keys/key-endpoints.js';
import { credentialEndpoints } from './credential-endpoints.js';
import { entryEndpoints } from './entry-endpoints.js';
import { factorEndpoints } from './factor-endpoints.js';
import { blockEndpoints } from './operations/block-endpoints.js';
import { booksEndpoints } from './operations/books-endpoints.js';
import { liveEndpoint } from './operations/live-endpoint.js';
import { mailEndpoints } from './operations/mail-endpoints.js';
import { maintenanceEndpoints } from './operations/maintenance-endpoints.js';
import { upstreamEndpoints } from './operations/upstream-endpoints.js';
import { issuerEndpoints } from './issuer-endpoints.js';
import { meEndpoints } from './me-endpoints.js';
import { modelEndpoints } from './model-endpoints.js';
import { passkeyEndpoints } from './passkey-endpoints.js';
import { sessionEndpoints } from './session-endpoints.js';
import { usageEndpoints } from './usage/usage-endpoints.js';

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
