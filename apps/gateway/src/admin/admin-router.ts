import type { AdminRoute } from '@tollgate/api-contract';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import { unknownAddress } from '../dashboard/call/unknown-address.js';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { checkBlockedNetwork } from '../http/middleware/check-platform.js';
import { expressPath } from '../http/middleware/express-path.js';
import { allowedMethods, byPath, refuseOtherMethods } from '../http/middleware/refuse-unknown.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { sendJson, sendJsonText } from '../http/reply/send-json.js';
import type { AdminPorts } from './call/admin-ports.js';
import { readAdminCall } from './call/read-admin-call.js';
import { type Answered, RepeatableChanges } from './call/repeatable-changes.js';
import { accountChangeEndpoints } from './routes/account-changes.js';
import { accountEndpoints } from './routes/accounts.js';
import { emailChangeEndpoints } from './routes/email-changes.js';
import { eventEndpoints } from './routes/events.js';
import { keyChangeEndpoints } from './routes/key-changes.js';
import { moneyChangeEndpoints } from './routes/money-changes.js';
import { paymentEndpoints } from './routes/payments.js';
import { platformEndpoints } from './routes/platform.js';
import { serviceEndpoints } from './routes/service.js';
import { signInLinkEndpoints } from './routes/sign-in-links.js';
import { automaticTopUpEndpoints } from './routes/automatic-top-up.js';
import { statementEndpoints } from './routes/statements.js';
import { usageEndpoints } from './routes/usage.js';
import { voucherEndpoints } from './routes/vouchers.js';
import { webhookEndpoints } from './routes/webhooks.js';
import type { AdminEndpoint } from './call/admin-endpoint.js';
import { admitMachine, checkScope } from './call/admit-machine.js';

const ROOT = '/admin/v1';
const OK = 200;

/** All routes under `/admin/v1`, for machines. Requests pass the middlewares in the order below. Maintenance does not close these routes. */
export function adminRouter(ports: AdminPorts): Router {
  const router = express.Router();
  const changes = new RepeatableChanges({ claims: ports.machineClaims, clock: ports.clock, log: ports.log });
  const admit = [checkBlockedNetwork(ports), admitMachine(ports)];
  const endpoints = endpointsOf(ports);
  for (const endpoint of endpoints) {
    const { route } = endpoint;
    const path = expressPath(ROOT, route.path);
    router[route.method](path, reach(path), ...admit, checkScope(route), reply(endpoint, changes, ports));
  }
  for (const [path, routes] of byPath(endpoints.map(({ route }) => route))) router.all(expressPath(ROOT, path), ...admit, refuseOtherMethods(allowedMethods(routes)));
  // Without a valid secret, unknown paths get the same reply as known ones.
  router.use(ROOT, ...admit, () => {
    throw unknownAddress();
  });
  return router;
}

function endpointsOf(ports: AdminPorts): readonly AdminEndpoint[] {
  return [
    ...accountEndpoints(ports), ...accountChangeEndpoints(ports), ...emailChangeEndpoints(ports), ...moneyChangeEndpoints(ports), ...automaticTopUpEndpoints(ports), ...keyChangeEndpoints(ports), ...signInLinkEndpoints(ports), ...usageEndpoints(ports), ...statementEndpoints(ports),
    ...eventEndpoints(ports), ...webhookEndpoints(ports), ...paymentEndpoints(ports), ...voucherEndpoints(ports), ...platformEndpoints(ports), ...serviceEndpoints(ports),
  ];
}

/** Sets the exchange's route, for log and metrics. */
function reach(path: string): RequestHandler {
  return (_req, res, next) => {
    exchangeOf(res).reach(path);
    next();
  };
}

function reply(endpoint: AdminEndpoint, changes: RepeatableChanges, { bodies }: AdminPorts): RequestHandler {
  const { route, handle, recover } = endpoint;
  return answer(async (exchange) => {
    const call = await readAdminCall(route, exchange.res, bodies);
    if (recover === null) sendRead(exchange, route, await handle(call));
    else sendAnswer(exchange, await changes.perform(endpoint, call));
  });
}

function sendRead(exchange: HttpExchange, { produces }: AdminRoute, body: unknown): void {
  if (produces === undefined) sendJson(exchange, OK, body);
}

function sendAnswer(exchange: HttpExchange, { status, body, isReplay }: Answered): void {
  if (isReplay) exchange.addHeaders({ 'idempotent-replayed': 'true' });
  if (body !== '') sendJsonText(exchange, status, body);
  else exchange.writeHead(status, { 'cache-control': 'no-store' }).end();
}
