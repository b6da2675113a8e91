import { meRoutes } from './routes/me-routes.js';
import { sessionRoutes } from './routes/session-routes.js';

/** Every route under `/dashboard/api`, by the name that handlers and clients call it. */
export const contract = { ...sessionRoutes, ...meRoutes } as const;
