import { accountRoutes } from './routes/account-routes.js';
import { descriptionRoutes } from './routes/description-routes.js';
import { controlRoutes } from './routes/control-routes.js';
import { keyRoutes } from './routes/key-routes.js';
import { credentialRoutes } from './routes/credential-routes.js';
import { entryRoutes } from './routes/entry-routes.js';
import { factorRoutes } from './routes/factor-routes.js';
import { meRoutes } from './routes/me-routes.js';
import { modelRoutes } from './routes/model-routes.js';
import { operatorAccountRoutes } from './routes/operator/account-routes.js';
import { auditRoutes } from './routes/operator/audit-routes.js';
import { operatorPeopleRoutes } from './routes/operator/people-routes.js';
import { operatorStandingRoutes } from './routes/operator/standing-routes.js';
import { operationRoutes } from './routes/operation-routes.js';
import { playgroundRoutes } from './routes/playground-routes.js';
import { sessionRoutes } from './routes/session-routes.js';
import { signInMethodRoutes } from './routes/sign-in-method-routes.js';
import { usageRoutes } from './routes/usage-routes.js';

/** Every route under `/dashboard/api`, by the name that handlers and clients call it. */
export const contract = {
  ...descriptionRoutes,
  ...sessionRoutes,
  ...entryRoutes,
  ...factorRoutes,
  ...credentialRoutes,
  ...signInMethodRoutes,
  ...meRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...modelRoutes,
  ...playgroundRoutes,
  ...usageRoutes,
  ...operatorAccountRoutes,
  ...operatorStandingRoutes,
  ...operatorPeopleRoutes,
  ...auditRoutes,
  ...controlRoutes,
  ...operationRoutes,
} as const;
