import type { DashboardPorts } from './call/dashboard-ports.js';
import type { DashboardEndpoint } from './call/endpoint.js';
import { accountKeyEndpoints } from './routes/accounts/account-key-endpoints.js';
import { operatorAccountEndpoints } from './routes/accounts/account-endpoints.js';
import { auditEndpoints } from './routes/accounts/audit-endpoints.js';
import { moneyEndpoints } from './routes/accounts/money-endpoints.js';
import { operatorPeopleEndpoints } from './routes/accounts/people-endpoints.js';
import { standingEndpoints } from './routes/accounts/standing-endpoints.js';
import { accountEndpoints } from './routes/own-account/account-endpoints.js';
import { descriptionEndpoints } from './routes/description-endpoints.js';
import { keyEndpoints } from './routes/keys/key-endpoints.js';
import { credentialEndpoints } from './routes/credential-endpoints.js';
import { entryEndpoints } from './routes/entry-endpoints.js';
import { factorEndpoints } from './routes/factor-endpoints.js';
import { blockEndpoints } from './routes/operations/block-endpoints.js';
import { booksEndpoints } from './routes/operations/books-endpoints.js';
import { liveEndpoint } from './routes/operations/live-endpoint.js';
import { mailEndpoints } from './routes/operations/mail-endpoints.js';
import { maintenanceEndpoints } from './routes/operations/maintenance-endpoints.js';
import { upstreamEndpoints } from './routes/operations/upstream-endpoints.js';
import { issuerEndpoints } from './routes/issuer-endpoints.js';
import { meEndpoints } from './routes/own-account/me-endpoints.js';
import { modelEndpoints } from './routes/model-endpoints.js';
import { passkeyEndpoints } from './routes/passkey-endpoints.js';
import { playgroundEndpoints } from './routes/playground-endpoints.js';
import { sessionEndpoints } from './routes/session-endpoints.js';
import { usageEndpoints } from './routes/usage/usage-endpoints.js';

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
