import { createHash } from 'node:crypto';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import type { HttpExchange } from '../http/http-exchange.js';
import { watchToEnd } from '../http/reply/reader-watch.js';
import { answer, exchangeOf } from '../http/middleware/request-context.js';
import { sendJson } from '../http/reply/send-json.js';
import { BackgroundWork } from './call/background-work.js';
import { callOf, type DashboardEndpoint } from './call/dashboard-call.js';
import type { DashboardPorts } from './call/dashboard-ports.js';
import { dashboardEndpoints } from './routes/dashboard-endpoints.js';
import { admitVisitor, beginCall, limitAttempts, unknownAddress, visitorFrom } from './call/admit-visitor.js';
import { checkBlockedNetwork, checkHost, checkMaintenance, checkOrigin, checkWayIn, refuseKeys } from './call/check-browser.js';
import { readCall } from './call/read-call.js';
import { mountPages } from './pages.js';

const OK = 200;
const NOT_MODIFIED = 304;

/** A body as it is sent, with what names it. */
export interface TaggedBody {
  readonly text: string;
  readonly tag: string;
}

/** Writes bodies of one route. One that is the very object of the reply before is not written again. */
export class BodyTagger {
  #last: TaggedBody & { readonly body: unknown } = { body: undefined, text: '', tag: '' };

  tagged(body: unknown): TaggedBody {
    if (body !== this.#last.body) {
      const text = JSON.stringify(body);
      this.#last = { body, text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
    }
    return this.#last;
  }
}

/** Whether `If-None-Match` names the tag. */
function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** Replies with a JSON value that the browser may keep and asks about again; with no body where it has it already. */
function sendTagged({ req, res, clock, discards }: HttpExchange, { text, tag }: TaggedBody): void {
  const headers = { 'etag': tag, 'cache-control': 'private, no-cache' };
  discards.discard(req);
  if (isKnown(req.headers['if-none-match'], tag)) res.writeHead(NOT_MODIFIED, headers).end();
  else res.writeHead(OK, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': `${Buffer.byteLength(text)}` }).end(text);
  watchToEnd(res, clock);
}

const ROOT = '/dashboard/api';
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
