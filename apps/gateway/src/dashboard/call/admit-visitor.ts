import { checkPlatform, type Clock, foldEmail, GatewayError, invariant } from '@tollgate/core';
import type { RouteDefinition } from '@tollgate/api-contract';
import { type AttemptSubject, isFreshlyProven, type SessionReach, type SignedIn } from '@tollgate/identity';
import type { RequestHandler } from 'express';
import { answer, exchangeOf } from '../../http/middleware/answer.js';
import type { PlatformPorts } from '../../http/middleware/check-platform.js';
import { insideNetworks } from '../../http/inside-networks.js';
import type { PublicAddress } from '../../http/public-address.js';
import { wantsPage } from '../../http/wants-page.js';
import { callOf, type DashboardCall, putCall, type Visitor, visitorOf } from './dashboard-call.js';
import type { DashboardPorts } from './dashboard-ports.js';
import { unknownAddress } from './unknown-address.js';
import { WRONG_HOST_HEADERS, wrongHostPage } from './wrong-host-page.js';

/** During maintenance, only routes that generate are closed. */
export function checkMaintenance({ takes }: RouteDefinition, { platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    if (takes === 'generation') checkPlatform(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}

/** Prevents DNS rebinding. */
export function checkHost({ address, unbilled }: Pick<DashboardPorts, 'address' | 'unbilled'>): RequestHandler {
  return (req, res, next) => {
    if (address.isOwnHost(req.headers.host)) return next();
    const refusal = new GatewayError('wrong_host', `The dashboard is not served under this name. Use ${address.origin}/dashboard.`);
    if (!wantsPage(req)) throw refusal;
    return answer((exchange) => {
      unbilled.countStranger(exchange);
      exchange.refuse(refusal);
      exchange.discards.discard(exchange.req, exchange.res);
      exchange.writeHead(MISDIRECTED, WRONG_HOST_HEADERS).end(wrongHostPage(address.origin, req.headers.host));
    })(req, res, next);
  };
}

const MISDIRECTED = 421;

/** API keys are never accepted, even beside a cookie. */
export const refuseKeys: RequestHandler = ({ headers }, _res, next) => {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
    throw new GatewayError('not_signed_in', 'API keys are not accepted here. Sign in with a browser.');
  }
  next();
};

/** Changes require the dashboard's own Origin. */
export function checkOrigin(address: PublicAddress): RequestHandler {
  return ({ method, headers }, _res, next) => {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && !address.isOwnOrigin(headers.origin, headers.host)) {
      throw new GatewayError('wrong_origin', 'This request does not come from a page of the dashboard.');
    }
    next();
  };
}

/** Refuses sign-in on an insecure address, where browsers keep no session. */
export function checkWayIn({ wayIn }: RouteDefinition, address: PublicAddress): RequestHandler {
  return (_req, _res, next) => {
    if (wayIn === true && !address.keepsSessions) {
      throw new GatewayError('insecure_address', `Sign-in does not work at ${address.origin} because it is not encrypted. Serve the dashboard over https, or use localhost on this machine.`);
    }
    next();
  };
}

/** If the person has neither password nor factor, the proof is a new sign-in, by passkey, issuer or an operator's link. */
export function freshProofRequired(): GatewayError {
  return new GatewayError('fresh_proof_required', 'Confirm your password or second factor for this change, or sign in again.');
}

export const beginCall: RequestHandler = (req, res, next) => {
  const exchange = exchangeOf(res);
  const browser = { cookie: req.headers.cookie ?? null, userAgent: req.headers['user-agent'] ?? null, address: exchange.clientAddress };
  putCall(res, { exchange, browser, visitor: null, params: undefined, query: undefined, body: undefined, attempt: null, knownAs: null });
  next();
};

/**
 * Extends the session unless the route is polled. Without a session, counts the request for its network and throws `not_signed_in`. A generation
 * counts as unbilled work until its plan admits it.
 */
export async function visitorFrom({ browser, exchange }: DashboardCall, ports: DashboardPorts, { takes, isPolled }: Pick<RouteDefinition, 'takes' | 'isPolled'> = {}): Promise<Visitor> {
  const { sessions, clock } = ports;
  const signedIn = await (isPolled === true ? sessions.peek(browser, clock.now()) : sessions.current(browser, clock.now()));
  if (signedIn === null) {
    ports.unbilled.countStranger(exchange);
    throw new GatewayError('not_signed_in', 'Sign in to use the dashboard.');
  }
  if (takes === undefined) exchange.claim(ports.unbilled.askPerson(signedIn.person.id));
  const visitor = await withAccount(signedIn, ports);
  if (takes === 'generation') exchange.claim(ports.unbilled.askGenerationOf(visitor.person.id, visitor.plan));
  return visitor;
}

async function withAccount(signedIn: SignedIn, { accounts, catalogue }: DashboardPorts): Promise<Visitor> {
  const { accountId } = signedIn.person;
  const account = accountId === null ? null : await accounts.findById(accountId);
  invariant(account !== null, 'a person with a session has an account');
  return { ...signedIn, account, plan: catalogue.current().planInForce(account.planId) };
}

const NEXT_STEPS: Readonly<Record<Exclude<SessionReach, 'full'>, string>> = {
  'prove-factor': 'Confirm your second factor first.',
  'enrol-factor': 'Set up a second factor first: this installation requires one.',
  'operator-link': 'Operators of this installation need a second factor. Set one up with a link from `tollgate operators link`, run on the machine of the gateway.',
};

function checkReach({ reach }: Visitor): void {
  if (reach === 'full') return;
  throw new GatewayError('second_factor_required', NEXT_STEPS[reach]);
}

/** Owners of inactive accounts may read, and use the routes that are open to them, such as the cancellation of a deletion. */
function checkStanding({ method, openTo }: RouteDefinition, { account: { status } }: Visitor): void {
  if (method === 'get' || status === 'active' || openTo === 'inactive') return;
  if (status === 'pending-deletion' && openTo === 'pending-deletion') return;
  const state = status === 'suspended' ? 'suspended' : 'about to be deleted';
  throw new GatewayError('account_inactive', `The account is ${state}; it can be read but not changed.`);
}

/** Throws `fresh_proof_required`. */
function checkFreshProof({ session }: Visitor, clock: Clock): void {
  if (!isFreshlyProven(session, clock.now())) throw freshProofRequired();
}

/** Throws `consent_required`. */
async function checkConsent({ access, beforeConsent }: RouteDefinition, { person }: Visitor, { consents }: Pick<DashboardPorts, 'consents'>): Promise<void> {
  if (access === 'signed-in' || beforeConsent === true || (await consents.missing(person)).length === 0) return;
  throw new GatewayError('consent_required', 'Agree to the current terms and privacy notice first.');
}

/** Checks in order: session, second factor, role, consent, standing, fresh proof. */
export function admitVisitor(route: RouteDefinition, ports: DashboardPorts): RequestHandler {
  const { operatorNetworks } = ports.rules;
  const isOperatorAddress = operatorNetworks.length === 0 ? () => true : insideNetworks(operatorNetworks);
  return async (_req, res, next) => {
    const call = callOf(res);
    if (route.access === 'anyone') {
      ports.unbilled.countStranger(call.exchange);
      next();
      return;
    }
    const visitor = await visitorFrom(call, ports, route);
    call.exchange.identifyPerson(visitor.person.id, visitor.account.id);
    // Checked first: until the second factor is proved, no refusal may reveal the person's role.
    if (route.access !== 'signed-in') checkReach(visitor);
    if (route.access === 'operator' && (visitor.person.role !== 'operator' || !isOperatorAddress(call.exchange.clientAddress))) throw unknownAddress();
    await checkConsent(route, visitor, ports);
    // Operators act for the installation, independently of the state of their own account.
    if (route.access !== 'operator') checkStanding(route, visitor);
    if (route.fresh === true) checkFreshProof(visitor, ports.clock);
    call.visitor = visitor;
    next();
  };
}

/** Whose attempts are limited: the person of the validated body, or of the session. */
function subjectOf(kind: AttemptSubject['kind'], call: DashboardCall): AttemptSubject {
  const body = call.body as { readonly email: string; readonly token: string };
  switch (kind) {
    case 'email': return { kind, email: body.email };
    case 'token': return { kind, token: body.token };
    case 'person': return { kind, id: visitorOf(call).person.id };
  }
}

/** Runs before any hashing, and reads the database only if the browser has a device cookie. */
export function limitAttempts({ attempts }: RouteDefinition, { attempts: limits, devices, clock }: Pick<DashboardPorts, 'attempts' | 'devices' | 'clock'>): RequestHandler {
  return async (_req, res, next) => {
    const call = callOf(res);
    if (attempts !== undefined) {
      const subject = subjectOf(attempts, call);
      if (subject.kind === 'email') call.knownAs = await devices.ownerWith(call.browser, foldEmail(subject.email), clock.now());
      call.attempt = await limits.admit({ address: call.browser.address, subject, knownAs: call.knownAs });
    }
    next();
  };
}
