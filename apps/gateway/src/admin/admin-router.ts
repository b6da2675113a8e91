import type { AdminRoute } from '@tollgate/dashboard-contract';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import { readAddress } from '../dashboard/call/read-call.js';
import { unknownAddress } from '../dashboard/call/unknown-address.js';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { checkBlockedNetwork } from '../http/middleware/check-platform.js';
import { refuseOtherMethods } from '../http/middleware/refuse-unknown.js';
import { sendJson } from '../http/reply/send-json.js';
import type { AdminPorts } from './call/admin-ports.js';
import { accountEndpoints } from './routes/accounts.js';
import { eventEndpoints } from './routes/events.js';
import { serviceEndpoints } from './routes/service.js';
import { usageEndpoints } from './routes/usage.js';
import type { AdminEndpoint } from './call/admin-endpoint.js';
import { admitMachine, checkScope } from './call/admit-machine.js';

const ROOT = '/admin/v1';
const OK = 200;
/** Every GET also answers HEAD. */
const READS = 'GET, HEAD';

/** All routes under `/admin/v1`, for machines. Requests pass these middlewares in this order; maintenance does not apply. */
export function adminRouter(ports: AdminPorts): Router {
  const router = express.Router();
  const admit = [checkBlockedNetwork(ports), admitMachine(ports)];
  for (const { route, handle } of [...accountEndpoints(ports), ...usageEndpoints(ports), ...eventEndpoints(ports), ...serviceEndpoints(ports)]) {
    const path = expressPath(route.path);
    router.get(path, reach(path), ...admit, checkScope(route), reply(route, handle));
    router.all(path, ...admit, refuseOtherMethods(READS));
  }
  // Without a valid secret, unknown paths get the same reply as known ones.
  router.use(ROOT, ...admit, () => {
    throw unknownAddress();
  });
  return router;
}

/** `/accounts/{id}` as Express writes it. */
function expressPath(path: string): string {
  return ROOT + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sets the exchange's route, for log and metrics. */
function reach(path: string): RequestHandler {
  return (_req, res, next) => {
    exchangeOf(res).reach(path);
    next();
  };
}

function reply(route: AdminRoute, handle: AdminEndpoint['handle']): RequestHandler {
  return answer(async (exchange) => sendJson(exchange, OK, await handle(readAddress(route, exchange.req))));
}
