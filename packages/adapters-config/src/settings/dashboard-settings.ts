import { z } from 'zod';
import type { SecondFactorPolicy, ServiceTokens, SignUpPolicy } from '@tollgate/core';
import type { VariableValues } from './variables.js';

/** The OpenID Connect issuer that people may sign in by. */
interface IssuerSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the dashboard calls it. */
  readonly name: string;
}

type IssuerValues = Pick<VariableValues, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME'>;

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** As the issuer writes its own identifier, which is compared with it character by character. */
export const issuerUrl = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname)));
  if (!isSafe) context.addIssue('must be an https:// address, or an http:// address of this machine');
  else if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') context.addIssue('must be an address without credentials, query and fragment');
});

/** What is wrong with the settings of the issuer taken together, one line each. */
export function issuerProblems({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: IssuerValues): readonly string[] {
  const set = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(set).filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === Object.keys(set).length) return [];
  return missing.map((name) => `${name}: must be set beside the other OIDC settings`);
}

/** `null`: people do not sign in by an issuer. */
function issuerSettings({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name }: IssuerValues): IssuerSettings | null {
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host };
}

export const SIGN_UP_POLICIES = ['open', 'invitation', 'closed'] as const satisfies readonly SignUpPolicy[];
export const SECOND_FACTOR_POLICIES = ['none', 'operators', 'everybody'] as const satisfies readonly SecondFactorPolicy[];

/** How people reach and use the dashboard. */
export interface DashboardSettings {
  /** Scheme, host and port; `null`: localhost and the port that the gateway listens on. */
  readonly publicUrl: string | null;
  /** Further values of the `Host` header, in lower case. */
  readonly hosts: readonly string[];
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** What new accounts are given; `null`: nothing. */
  readonly signupCredit: ServiceTokens | null;
  /** The operator's words on how to get credit; `null`: there are none. */
  readonly creditLine: string | null;
  /** `null`: people do not sign in by an issuer. */
  readonly issuer: IssuerSettings | null;
  /** Where operators may act from; empty: anywhere. */
  readonly operatorNetworks: readonly string[];
}

type DashboardValues = Pick<
  VariableValues,
  'PUBLIC_URL' | 'DASHBOARD_HOSTS' | 'SIGN_UP' | 'SIGNUP_CREDIT' | 'CREDIT_LINE' | 'REQUIRE_SECOND_FACTOR' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'OPERATOR_NETWORKS' | 'NODE_ENV'
>;

/** Production is stricter wherever nothing is set. */
export function dashboardSettings(values: DashboardValues): DashboardSettings {
  const isProduction = values.NODE_ENV === 'production';
  return {
    publicUrl: values.PUBLIC_URL,
    hosts: values.DASHBOARD_HOSTS ?? [],
    signUp: values.SIGN_UP ?? (isProduction ? 'invitation' : 'open'),
    secondFactor: values.REQUIRE_SECOND_FACTOR ?? (isProduction ? 'operators' : 'none'),
    signupCredit: values.SIGNUP_CREDIT,
    creditLine: values.CREDIT_LINE,
    issuer: issuerSettings(values),
    operatorNetworks: values.OPERATOR_NETWORKS,
  };
}

const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host name of a URL stands for the machine itself. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAME.test(hostname);
}
