import { contract } from '@tollgate/dashboard-contract';
import type { IssuerSignIn, IssuerSignInOutcome } from '@tollgate/core';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';
import type { SignInMethods } from '../call/sign-in-methods.js';
import { unknownAddress } from '../middleware/admit-visitor.js';

/** What the sign-in page is told. */
const REASONS: Readonly<Record<Exclude<IssuerSignInOutcome['outcome'], 'signed-in'>, string>> = {
  'refused': 'sign_in_failed',
  'not-verified': 'sign_in_failed',
  'closed': 'sign_up_closed',
  'account-not-linked': 'account_not_linked',
  'email-not-verified': 'email_not_verified',
};

function issuerOf(methods: SignInMethods): IssuerSignIn {
  const issuer = methods.issuer();
  if (issuer === null) throw unknownAddress();
  return issuer;
}

/** What stands behind the question mark. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** The ways to sign in, and sign-in by an OpenID Connect issuer. Every address that a browser is sent to is the issuer's or a constant. */
export function issuerEndpoints({ signInMethods, rules, hasMailServer, clock }: Pick<DashboardPorts, 'signInMethods' | 'rules' | 'hasMailServer' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.signInMethods)(async () => {
      const name = signInMethods.issuerName();
      return {
        object: 'sign_in_methods', passkeys: signInMethods.passkeys().outcome, issuer: name === null ? null : { name }, sign_up: rules.signUp, mail: hasMailServer,
      };
    }),
    endpoint(contract.issuerStart)(async ({ setCookie, redirect }) => {
      const begun = await issuerOf(signInMethods).begin(clock.now());
      setCookie(begun.setCookie);
      redirect(begun.location);
    }),
    endpoint(contract.issuerCallback)(async ({ exchange, browser, setCookie, redirect }) => {
      const issuer = issuerOf(signInMethods);
      const outcome = await issuer.finish(browser, queryOf(exchange.req.originalUrl), clock.now());
      setCookie(issuer.forgetCookie());
      if (outcome.outcome === 'signed-in') setCookie(outcome.setCookie);
      redirect(outcome.outcome === 'signed-in' ? '/dashboard' : `/dashboard/sign-in?refused=${REASONS[outcome.outcome]}`);
    }),
  ];
}
