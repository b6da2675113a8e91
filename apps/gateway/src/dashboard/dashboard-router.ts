import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { contract, describeApi, type OpenApiDocument, type RouteDefinition } from '@tollgate/dashboard-contract';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import type { DashboardPorts } from './call/dashboard-ports.js';
import { BackgroundWork } from './call/background-work.js';
import { callOf } from './call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from './call/dashboard-endpoint.js';
import { accountKeyEndpoints, operatorPeopleEndpoints, standingEndpoints } from './routes/operator-people.js';
import { operatorAccountEndpoints } from './routes/operator-accounts.js';
import { auditEndpoints, moneyEndpoints } from './routes/operator-money.js';
import { accountEndpoints, meEndpoints } from './routes/own-account.js';
import { keyEndpoints } from './routes/keys.js';
import { credentialEndpoints, factorEndpoints, passkeyEndpoints } from './routes/credentials.js';
import { entryEndpoints, issuerEndpoints, sessionEndpoints, signInPage } from './routes/sign-in.js';
import { blockEndpoints, maintenanceEndpoints } from './routes/platform.js';
import { booksEndpoints, liveEndpoint, mailEndpoints, upstreamEndpoints } from './routes/operations.js';
import { modelEndpoints, playgroundEndpoints } from './routes/playground.js';
import { usageEndpoints } from './routes/usage.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { watchToEnd } from '../http/reply/reader-watch.js';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { checkBlockedNetwork } from '../http/middleware/check-platform.js';
import { sendJson } from '../http/reply/send-json.js';
import { wantsPage } from '../http/wants-page.js';
import {
  admitVisitor, beginCall, checkHost, checkMaintenance, checkOrigin, checkWayIn, limitAttempts, refuseKeys,
  unknownAddress, visitorFrom,
} from './call/admit-visitor.js';
import { readCall } from './call/read-call.js';
import { mountPages } from './pages.js';

const ROOT = '/dashboard/api';

/** Every request passes these middlewares in this order. */
export function dashboardRouter(ports: DashboardPorts): Router {
  const router = express.Router();
  const background = new BackgroundWork(ports.log);
  router.use(ROOT, beginCall, checkBlockedNetwork(ports), checkHost(ports), refuseKeys, checkOrigin(ports.address));
  for (const mounted of dashboardEndpoints(ports)) {
    const { route } = mounted;
    const path = expressPath(route.path);
    router[route.method](path, enter(route, path), checkWayIn(route, ports.address), checkMaintenance(route, ports), admitVisitor(route, ports), readCall(route, ports.bodies), limitAttempts(route, ports), reply(mounted, background, ports));
  }
  // Without a session, unknown paths answer as known ones do.
  router.use(ROOT, async (_req, res) => {
    await visitorFrom(callOf(res), ports);
    throw unknownAddress();
  });
  mountPages(router, ports);
  return router;
}

function dashboardEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
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

function operationEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...blockEndpoints(ports), ...maintenanceEndpoints(ports), ...upstreamEndpoints(ports), ...booksEndpoints(ports), ...mailEndpoints(ports), liveEndpoint(ports),
  ];
}

const OK = 200;

const ACCEPTED = 202;
const NO_CONTENT = 204;
const SEE_OTHER = 303;

const NOT_MODIFIED = 304;

/** From `/keys/{id}`. */
function expressPath(path: string): string {
  return ROOT + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sets the route for log and metrics. For redirecting routes, refusals are pages. */
function enter({ status }: RouteDefinition, path: string): RequestHandler {
  return (req, res, next) => {
    const exchange = exchangeOf(res);
    exchange.reach(path);
    if (status === SEE_OTHER && wantsPage(req)) exchange.refusalPage = signInPage;
    next();
  };
}

/** Answers with the handler's result. The request ends with its background work. */
function reply({ route, handle }: DashboardEndpoint, background: BackgroundWork, { devices, clock }: Pick<DashboardPorts, 'devices' | 'clock'>): RequestHandler {
  const tagger = new BodyTagger();
  return answer(async (exchange) => {
    const started: Promise<void>[] = [];
    const setCookie = (header: string) => void exchange.res.appendHeader('set-cookie', header);
    const body = await handle(callOf(exchange.res), {
      setCookie,
      enter: async ({ signedIn: { person, reach }, setCookie: session }) => {
        setCookie(session);
        const device = reach === 'full' ? await devices.remember(callOf(exchange.res).browser, person.id, clock.now()) : null;
        if (device !== null) setCookie(device);
      },
      redirect: (location) => exchange.res.setHeader('location', location),
      inBackground: (work) => started.push(background.start(callOf(exchange.res), work)),
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

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

const VERSION = version;

/** Created on first use. */
function descriptionEndpoints({ address }: DashboardPorts): readonly DashboardEndpoint[] {
  let description: OpenApiDocument | null = null;
  return [
    endpoint(contract.describe)(async () => {
      description ??= describeApi({ version: VERSION, cookieName: address.cookieForm.name });
      return description;
    }),
  ];
}

/** With its ETag. */
interface TaggedBody {
  readonly text: string;
  readonly tag: string;
}

/** Caches the last body of a route by identity. */
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

/** By `If-None-Match`. */
function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** 304 if the browser has it. */
function sendTagged({ req, res, clock, discards }: HttpExchange, { text, tag }: TaggedBody): void {
  const headers = { 'etag': tag, 'cache-control': 'private, no-cache' };
  discards.discard(req, res);
  if (isKnown(req.headers['if-none-match'], tag)) res.writeHead(NOT_MODIFIED, headers).end();
  else res.writeHead(OK, { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': `${Buffer.byteLength(text)}` }).end(text);
  watchToEnd(res, clock);
}
