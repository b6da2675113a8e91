import type { SecondFactorPolicy, ServiceTokens, SignUpPolicy } from '@tollgate/core';
import { type IssuerSettings, issuerSettings } from './issuer-settings.js';
import type { VariableValues } from './variables.js';

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
