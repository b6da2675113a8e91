import { contract } from '@tollgate/api-contract';
import { IssuerFailure, type IssuerSignIn, type IssuerSignInOutcome } from '@tollgate/identity';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { firstOperatorCommand } from '../call/first-operator.js';
import type { SignInMethods } from '../call/sign-in-methods.js';
import { unknownAddress } from '../call/unknown-address.js';
import { signInPage } from './sign-in-page.js';

type IssuerPorts = Pick<DashboardPorts, 'signInMethods' | 'rules' | 'hasMailServer' | 'clock' | 'log' | 'people'>;

function encodeMethods({ signInMethods, rules, hasMailServer }: Pick<IssuerPorts, 'signInMethods' | 'rules' | 'hasMailServer'>) {
  const name = signInMethods.issuerName();
  return { object: 'sign_in_methods' as const, passkeys: signInMethods.passkeys().outcome, issuer: name === null ? null : { name }, sign_up: rules.signUp, mail: hasMailServer };
}

/** Redirects lead only to the issuer or to fixed addresses. */
export function issuerEndpoints({ signInMethods, rules, hasMailServer, clock, log, people }: IssuerPorts): readonly DashboardEndpoint[] {
  /** Logs the reason, and returns the page to which the browser is redirected. */
  const refuse = (requestId: string, thrown: unknown): string => {
    if (!(thrown instanceof IssuerFailure)) throw thrown;
    log.error({ requestId, reason: thrown.reason }, 'the OpenID Connect issuer cannot be used');
    return signInPage('issuer_unavailable');
  };
  const firstOperator = firstOperatorCommand(people);
  return [
    endpoint(contract.signInMethods)(async () => ({ ...encodeMethods({ signInMethods, rules, hasMailServer }), first_operator: await firstOperator() })),
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

/** Reasons that the sign-in page shows. */
const REASONS: Readonly<Record<Exclude<IssuerSignInOutcome['outcome'], 'signed-in'>, string>> = {
  'refused': 'sign_in_failed',
  'not-verified': 'sign_in_failed',
  'unconfirmed': 'sign_in_failed',
  'closed': 'sign_up_closed',
  'account-not-linked': 'account_not_linked',
  'email-not-verified': 'email_not_verified',
};

function issuerOf(methods: SignInMethods): IssuerSignIn {
  const issuer = methods.issuer();
  if (issuer === null) throw unknownAddress();
  return issuer;
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
