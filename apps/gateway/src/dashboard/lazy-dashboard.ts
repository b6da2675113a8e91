import type { RequestHandler } from 'express';
import { pathOf } from '../http/request-target.js';
import type { DashboardPorts } from './call/dashboard-ports.js';

const DASHBOARD = /^\/dashboard(?:\/|$)/i;

/** Loaded at the first request: most processes only serve models, and start faster. */
export function lazyDashboard(ports: DashboardPorts): RequestHandler {
  let router: Promise<RequestHandler> | null = null;
  return async (req, res, next) => {
    if (!DASHBOARD.test(pathOf(req.url))) return next();
    router ??= import('./dashboard-router.js').then(({ dashboardRouter }) => dashboardRouter(ports));
    const handle = await router;
    return handle(req, res, next);
  };
}
