import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { GatewayError, RefusedSignIn, type SessionId } from '@tollgate/core';
import {
  type BrowserRequest, IssuerFailure, type IssuerSignIn, type IssuerSignInOutcome, type Person, type SignedIn, type SignInOutcome,
} from '@tollgate/identity';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import type { SignInMethods } from '../call/sign-in-methods.js';
import { encodeSession } from '../call/encode-session.js';
import { type DashboardEndpoint, endpoint, type Enter } from '../call/dashboard-endpoint.js';
import { unknownAddress } from '../call/admit-visitor.js';

export function sessionEndpoints({ sessions, identity, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.signIn)(async ({ browser, body, call, enter, inBackground }) =>
      encodeSignIn(await identity.passwordSignIn.signIn({ ...browser, inBackground }, body, call.knownAs !== null), enter)),
    endpoint(contract.signInByLink)(async ({ browser, body, enter }) =>
      encodeSignIn(await sessions.signIn(browser, { kind: 'link', ...body }, clock.now()), enter)),
    endpoint(contract.currentSession)(async ({ visitor: { session, reach, person } }) =>
      ({ object: 'session_state', session: encodeSession(session, session), reach, factors: person.factors })),
    endpoint(contract.signOut)(async ({ visitor: { person, session }, setCookie }) => {
      await sessions.end(person.id, session.id);
      setCookie(sessions.forgetCookie());
    }),
    endpoint(contract.signOutEverywhere)(async ({ visitor: { person }, setCookie }) => {
      await sessions.end(person.id, 'all');
      setCookie(sessions.forgetCookie());
    }),
    endpoint(contract.listSessions)(async ({ visitor: { person, session } }) => {
      const data = (await sessions.list(person, clock.now())).map((each) => encodeSession(each, session));
      return { object: 'list', data, has_more: false };
    }),
    endpoint(contract.endSession)(async ({ visitor: { person }, params: { id } }) => {
      if (await sessions.end(person.id, id as SessionId) === 0) throw unknownAddress();
    }),
  ];
}

/** Sign-up, mailed links, password resets. */
export function entryEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { signUp, verification, passwordReset } = ports.identity;
  return [
    endpoint(contract.signUp)(async ({ browser: { address }, body, inBackground }) => {
      await signUp.register({ ...body, address }, inBackground);
      return ACCEPTED;
    }),
    endpoint(contract.resendVerification)(async ({ body: { email }, inBackground }) => {
      await verification.resend(email, inBackground);
      return ACCEPTED;
    }),
    endpoint(contract.verifyEmail)(async ({ exchange, browser, body, enter }) => {
      const person = await verification.verify({ ...body, ...browser });
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
    endpoint(contract.disown)(({ browser: { address }, body: { token } }) => verification.disown(token, address)),
    endpoint(contract.requestReset)(async ({ body: { email }, call, inBackground }) => {
      await passwordReset.request(email, inBackground, call.knownAs !== null);
      return ACCEPTED;
    }),
    endpoint(contract.resetPassword)(async ({ exchange, browser, body, enter, afterAct }) => {
      const person = await passwordReset.reset({ ...body, ...browser }, afterAct);
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
    endpoint(contract.acceptInvitation)(async ({ exchange, browser, body, enter }) => {
      const person = await passwordReset.acceptInvitation({ ...body, ...browser });
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
  ];
}

/** Redirects lead to the issuer or to constants only. */
export function issuerEndpoints({ signInMethods, rules, hasMailServer, clock, log }: Pick<DashboardPorts, 'signInMethods' | 'rules' | 'hasMailServer' | 'clock' | 'log'>): readonly DashboardEndpoint[] {
  /** Logs the reason; the browser is redirected to a page. */
  const refuse = (requestId: string, thrown: unknown): string => {
    if (!(thrown instanceof IssuerFailure)) throw thrown;
    log.error({ requestId, reason: thrown.reason }, 'the OpenID Connect issuer cannot be used');
    return signInPage('issuer_unavailable');
  };
  return [
    endpoint(contract.signInMethods)(async () => {
      const name = signInMethods.issuerName();
      return {
        object: 'sign_in_methods', passkeys: signInMethods.passkeys().outcome, issuer: name === null ? null : { name }, sign_up: rules.signUp, mail: hasMailServer,
      };
    }),
    endpoint(contract.issuerStart)(async ({ exchange: { requestId }, setCookie, redirect }) => {
      const issuer = issuerOf(signInMethods);
      try {
        const begun = await issuer.begin(clock.now());
        setCookie(begun.setCookie);
        redirect(begun.location);
      } catch (thrown) {
        redirect(refuse(requestId, thrown));
      }
    }),
    endpoint(contract.issuerCallback)(async ({ exchange, browser, setCookie, enter, redirect }) => {
      const issuer = issuerOf(signInMethods);
      try {
        const outcome = await issuer.finish(browser, queryOf(exchange.req.originalUrl), clock.now());
        setCookie(issuer.forgetCookie());
        if (outcome.outcome === 'signed-in') {
          await enter(outcome);
          return redirect('/dashboard');
        }
        log.warn({ requestId: exchange.requestId, reason: outcome.reason }, 'a sign-in through the issuer was refused');
        redirect(signInPage(REASONS[outcome.outcome]));
      } catch (thrown) {
        redirect(refuse(exchange.requestId, thrown));
      }
    }),
  ];
}

/** For the log. */
export const SIGN_IN_REASONS: Readonly<Record<Exclude<SignInOutcome['outcome'], 'signed-in'>, string>> = {
  'refused': 'the proof is wrong or was used before, the address is unknown, or the account may not sign in',
  'not-verified': 'the password is right, and the address is not verified yet',
  'unconfirmed': 'the password is right, and after many failures the browser needs the mailed link',
};

/** The same text for every reason, which reveals nothing about the person. */
function signInFailed(outcome: keyof typeof SIGN_IN_REASONS): GatewayError {
  return new GatewayError('sign_in_failed', 'The e-mail address or password is incorrect.', { cause: new RefusedSignIn(SIGN_IN_REASONS[outcome]) });
}

/** Sets the session's cookies. */
export async function encodeSignIn(outcome: SignInOutcome, enter: Enter): Promise<ReplyOf<typeof contract.signIn>> {
  if (outcome.outcome !== 'signed-in') throw signInFailed(outcome.outcome);
  await enter(outcome);
  const { reach, person }: SignedIn = outcome.signedIn;
  return { object: 'sign_in', reach, factors: person.factors };
}

type Entry = ReplyOf<typeof contract.verifyEmail>;

const ACCEPTED = { object: 'accepted' } as const;

/** After proving an address and a password. */
interface Arrival {
  readonly exchange: Pick<HttpExchange, 'requestId'>;
  readonly browser: BrowserRequest;
  readonly person: Person;
  readonly password: string;
  readonly enter: Enter;
}

/** Signs in with the password, so that standing and second factors apply. The proof stays valid if no session can begin. */
async function arrive({ sessions, clock, log }: Pick<DashboardPorts, 'sessions' | 'clock' | 'log'>, { exchange: { requestId }, browser, person: { email }, password, enter }: Arrival): Promise<Entry> {
  const outcome = await sessions.signIn(browser, { kind: 'password', email, password }, clock.now()).catch(withoutSession);
  if (outcome.outcome === 'signed-in') return { object: 'entry', email, sign_in: await encodeSignIn(outcome, enter) };
  log.warn({ requestId, reason: outcome.outcome === 'no-turn' ? NO_TURN : SIGN_IN_REASONS[outcome.outcome] }, 'a sign-in was refused');
  return { object: 'entry', email, sign_in: null };
}

const NO_TURN = 'too many passwords are waiting to be hashed';

function withoutSession(thrown: unknown): { readonly outcome: 'no-turn' } {
  if (thrown instanceof GatewayError && thrown.code === 'too_many_attempts') return { outcome: 'no-turn' };
  throw thrown;
}

/** Shown on the sign-in page. */
const REASONS: Readonly<Record<Exclude<IssuerSignInOutcome['outcome'], 'signed-in'>, string>> = {
  'refused': 'sign_in_failed',
  'not-verified': 'sign_in_failed',
  'unconfirmed': 'sign_in_failed',
  'closed': 'sign_up_closed',
  'account-not-linked': 'account_not_linked',
  'email-not-verified': 'email_not_verified',
};

/** Explains a failed sign-in, generically for codes without a text. */
export function signInPage(refused: string): string {
  return `/dashboard/sign-in?refused=${refused}`;
}

function issuerOf(methods: SignInMethods): IssuerSignIn {
  const issuer = methods.issuer();
  if (issuer === null) throw unknownAddress();
  return issuer;
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
