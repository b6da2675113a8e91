import { contract, describeDashboard, type OpenApiDocument, type RouteDefinition } from '@tollgate/api-contract';
import express from 'express';
import type { RequestHandler, Router } from 'express';
import type { DashboardPorts } from './call/dashboard-ports.js';
import { BackgroundWork } from './call/background-work.js';
import { callOf } from './call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from './call/dashboard-endpoint.js';
import { accountNoteEndpoints } from './routes/account-notes.js';
import { accountKeyEndpoints } from './routes/operator-keys.js';
import { operatorPeopleEndpoints } from './routes/operator-people.js';
import { standingEndpoints } from './routes/operator-standings.js';
import { operatorAccountEndpoints } from './routes/operator-accounts.js';
import { auditEndpoints } from './routes/operator-audit.js';
import { creditEndpoints } from './routes/credits.js';
import { automaticTopUpEndpoints } from './routes/automatic-top-up.js';
import { paymentEndpoints } from './routes/payments.js';
import { moneyEndpoints } from './routes/operator-money.js';
import { notificationEndpoints } from './routes/notifications.js';
import { accountEndpoints, meEndpoints } from './routes/own-account.js';
import { holderNameEndpoints } from './routes/holder-names.js';
import { keyNameEndpoints } from './routes/key-names.js';
import { keyEndpoints } from './routes/keys.js';
import { consentEndpoints } from './routes/consent.js';
import { credentialEndpoints } from './routes/credentials.js';
import { factorEndpoints } from './routes/factors.js';
import { passkeyEndpoints } from './routes/passkeys.js';
import { entryEndpoints } from './routes/entry.js';
import { issuerEndpoints } from './routes/issuer.js';
import { sessionEndpoints } from './routes/sign-in.js';
import { signInPage } from './routes/sign-in-page.js';
import { machineEndpoints } from './routes/machines.js';
import { blockEndpoints, maintenanceEndpoints } from './routes/platform.js';
import { booksEndpoints } from './routes/books.js';
import { liveEndpoint } from './routes/live.js';
import { mailEndpoints } from './routes/mail.js';
import { upstreamEndpoints } from './routes/upstreams.js';
import { modelEndpoints, playgroundEndpoints } from './routes/playground.js';
import { statementEndpoints } from './routes/statements.js';
import { usageEndpoints } from './routes/usage.js';
import { voucherEndpoints } from './routes/vouchers.js';
import { operatorWebhookEndpoints, webhookEndpoints } from './routes/webhooks.js';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { checkBlockedNetwork } from '../http/middleware/check-platform.js';
import { expressPath } from '../http/middleware/express-path.js';
import { allowedMethods, byPath, refuseOtherMethods } from '../http/middleware/refuse-unknown.js';
import { sendJson } from '../http/reply/send-json.js';
import { BodyTagger, sendTagged } from '../http/reply/send-tagged.js';
import { VERSION } from '../observability/version.js';
import { wantsPage } from '../http/wants-page.js';
import { admitVisitor, beginCall, checkHost, checkMaintenance, checkOrigin, checkWayIn, limitAttempts, refuseKeys, visitorFrom } from './call/admit-visitor.js';
import { unknownAddress } from './call/unknown-address.js';
import { readCall } from './call/read-call.js';
import { mountPages } from './pages.js';

const ROOT = '/dashboard/api';

/** Every request passes these middlewares in this order. */
export function dashboardRouter(ports: DashboardPorts): Router {
  const router = express.Router();
  const background = new BackgroundWork(ports.log);
  router.use(ROOT, beginCall, checkBlockedNetwork(ports), checkHost(ports), refuseKeys, checkOrigin(ports.address));
  const endpoints = dashboardEndpoints(ports);
  for (const mounted of endpoints) {
    const { route } = mounted;
    const path = expressPath(ROOT, route.path);
    router[route.method](path, enter(route, path), checkWayIn(route, ports.address), checkMaintenance(route, ports), admitVisitor(route, ports), readCall(route, ports.bodies), limitAttempts(route, ports), reply(mounted, background, ports));
  }
  for (const [path, routes] of byPath(endpoints.map(({ route }) => route))) router.all(expressPath(ROOT, path), ...refuseOthers(routes, ports));
  // Without a session, unknown paths get the same reply as known ones.
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
    ...consentEndpoints(ports),
    ...meEndpoints(ports),
    ...accountEndpoints(ports),
    ...notificationEndpoints(ports),
    ...keyEndpoints(ports), ...keyNameEndpoints(ports),
    ...webhookEndpoints(ports),
    ...paymentEndpoints(ports), ...automaticTopUpEndpoints(ports), ...creditEndpoints(ports),
    ...voucherEndpoints(ports),
    ...modelEndpoints(ports),
    ...playgroundEndpoints(ports),
    ...usageEndpoints(ports), ...statementEndpoints(ports),
    ...operatorAccountEndpoints(ports),
    ...moneyEndpoints(ports),
    ...standingEndpoints(ports),
    ...holderNameEndpoints(ports),
    ...accountKeyEndpoints(ports),
    ...accountNoteEndpoints(ports),
    ...operatorPeopleEndpoints(ports),
    ...auditEndpoints(ports),
    ...operationEndpoints(ports),
  ];
}

function operationEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    ...blockEndpoints(ports), ...maintenanceEndpoints(ports), ...upstreamEndpoints(ports), ...booksEndpoints(ports), ...mailEndpoints(ports), ...machineEndpoints(ports),
    ...operatorWebhookEndpoints(ports), liveEndpoint(ports),
  ];
}

const OK = 200;

const ACCEPTED = 202;
const NO_CONTENT = 204;
const SEE_OTHER = 303;

/** Refuses the methods that the path does not have. Visitors who may not read the path get the refusal that a read would get. */
function refuseOthers(routes: readonly RouteDefinition[], ports: DashboardPorts): readonly RequestHandler[] {
  return routes.slice(0, 1).map(({ path, access, summary }) => admitVisitor({ method: 'get', path, access, summary }, ports)).concat(refuseOtherMethods(allowedMethods(routes)));
}

/** Sets the route for log and metrics. If the route redirects, its refusals are pages. */
function enter({ status }: RouteDefinition, path: string): RequestHandler {
  return (req, res, next) => {
    const exchange = exchangeOf(res);
    exchange.reach(path);
    if (status === SEE_OTHER && wantsPage(req)) exchange.refusalPage = signInPage;
    next();
  };
}

/** Answers with the handler's result. The request counts as running until its background work ends. */
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
    else if (route.cache === 'etag') sendTagged(exchange, tagger.tagged(body), 'private');
    else if (route.produces === undefined) sendJson(exchange, route.status ?? OK, body);
    await Promise.all(started);
  });
}

function sendNothing(res: express.Response, status: number): void {
  res.setHeader('cache-control', 'no-store');
  res.writeHead(status).end();
}

/** The OpenAPI description is built at its first request. */
function descriptionEndpoints({ address, brand }: DashboardPorts): readonly DashboardEndpoint[] {
  let description: OpenApiDocument | null = null;
  return [
    endpoint(contract.describe)(async () => {
      description ??= describeDashboard({ version: VERSION, product: brand.name, tokensWord: brand.tokenWord.many, cookieName: address.cookieForm.name });
      return description;
    }),
  ];
}
