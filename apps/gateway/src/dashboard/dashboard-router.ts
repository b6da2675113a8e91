import express, { type RequestHandler, type Router } from 'express';
import { answer } from '../http/middleware/answer.js';
import { exchangeOf } from '../http/middleware/request-context.js';
import { sendJson } from '../http/reply/send-json.js';
import { BackgroundWork } from './call/background-work.js';
import { callOf } from './call/dashboard-call.js';
import type { DashboardPorts } from './call/dashboard-ports.js';
import type { DashboardEndpoint } from './call/endpoint.js';
import { BodyTagger, sendTagged } from './call/send-tagged.js';
import { dashboardEndpoints } from './dashboard-endpoints.js';
import { admitVisitor, beginCall, unknownAddress, visitorFrom } from './middleware/admit-visitor.js';
import { checkBlockedNetwork, checkHost, checkMaintenance, checkOrigin, checkWayIn, refuseKeys } from './middleware/check-browser.js';
import { limitAttempts } from './middleware/limit-attempts.js';
import { readCall } from './middleware/read-call.js';
import { mountPages } from './pages/serve-pages.js';

const ROOT = '/dashboard/api';
const OK = 200;
const ACCEPTED = 202;
const NO_CONTENT = 204;
const SEE_OTHER = 303;

/** `/keys/{id}` as Express writes it. */
function expressPath(path: string): string {
  return ROOT + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Tells the exchange, and so log and metrics, which route it is for. */
function enter(path: string): RequestHandler {
  return (_req, res, next) => {
    exchangeOf(res).reach(path);
    next();
  };
}

/** Answers with what the handler resolves with. The request is over when what it set going in the background is. */
function reply({ route, handle }: DashboardEndpoint, background: BackgroundWork): RequestHandler {
  const tagger = new BodyTagger();
  return answer(async (exchange) => {
    const started: Promise<void>[] = [];
    const body = await handle(callOf(exchange.res), {
      setCookie: (header) => exchange.res.appendHeader('set-cookie', header),
      redirect: (location) => exchange.res.setHeader('location', location),
      inBackground: (work) => started.push(background.start(exchange, work)),
      afterAct: (work) => started.push(background.follow(exchange, work)),
    });
    if (route.status !== ACCEPTED) await callOf(exchange.res).attempt?.giveBack();
    if (route.status === NO_CONTENT || route.status === SEE_OTHER) sendNothing(exchange.res, route.status);
    else if (route.cache === 'etag') sendTagged(exchange, tagger.tagged(body));
    else if (route.produces === undefined) sendJson(exchange, route.status ?? OK, body);
    await Promise.all(started);
  });
}

function sendNothing(res: express.Response, status: number): void {
  res.setHeader('cache-control', 'no-store');
  res.writeHead(status).end();
}

/** All routes under `/dashboard`. Every request passes these middlewares in this order. */
export function dashboardRouter(ports: DashboardPorts): Router {
  const router = express.Router();
  const background = new BackgroundWork(ports.log);
  router.use(ROOT, beginCall, checkBlockedNetwork(ports), checkHost(ports.address), refuseKeys, checkOrigin(ports.address));
  for (const endpoint of dashboardEndpoints(ports)) {
    const { route } = endpoint;
    const path = expressPath(route.path);
    router[route.method](path, enter(path), checkWayIn(route, ports.address), checkMaintenance(route, ports), admitVisitor(route, ports), readCall(route, ports.bodies), limitAttempts(route, ports.attempts), reply(endpoint, background));
  }
  // Without a session, an address without a route answers as one with a route does.
  router.use(ROOT, async (_req, res) => {
    await visitorFrom(callOf(res), ports);
    throw unknownAddress();
  });
  mountPages(router, ports);
  return router;
}
