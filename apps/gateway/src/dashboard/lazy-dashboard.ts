import type { Request, RequestHandler } from 'express';
import { answer } from '../http/middleware/request-context.js';
import { pathOf } from '../http/request-target.js';
import type { DashboardPorts } from './call/dashboard-ports.js';

const HOME = '/dashboard';
const DASHBOARD = /^\/dashboard(?:\/|$)/i;

/** Whether it is a browser that shows the page it gets. Programs ask for JSON or for anything. */
function wantsPage({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

/**
 * The routes under `/dashboard`, loaded with the first request to them: most processes serve models alone, and start faster without.
 * A browser that opens `/` is sent there.
 */
export function lazyDashboard(ports: DashboardPorts): RequestHandler {
  let router: Promise<RequestHandler> | null = null;
  const openDashboard = answer((exchange) => {
    exchange.reach('/');
    ports.unbilled.countStranger(exchange);
    exchange.res.redirect(302, HOME);
  });
  return async (req, res, next) => {
    const path = pathOf(req.url);
    if (path === '/' && wantsPage(req)) return openDashboard(req, res, next);
    if (!DASHBOARD.test(path)) return next();
    router ??= import('./dashboard-router.js').then(({ dashboardRouter }) => dashboardRouter(ports));
    const handle = await router;
    return handle(req, res, next);
  };
}
