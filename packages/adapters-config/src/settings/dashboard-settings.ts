import type { ServiceTokens } from '@tollgate/core';
import type { SecondFactorPolicy, SignUpPolicy } from '@tollgate/identity';
import { type IssuerSettings, issuerSettings } from './issuer-settings.js';
import type { VariableValues } from './variables.js';

export const SIGN_UP_POLICIES = ['open', 'invitation', 'closed'] as const satisfies readonly SignUpPolicy[];
export const SECOND_FACTOR_POLICIES = ['none', 'operators', 'everybody'] as const satisfies readonly SecondFactorPolicy[];

export interface DashboardSettings {
  /** Scheme, host and port; `null` for localhost and the listening port. */
  readonly publicUrl: string | null;
  /** Further accepted `Host` values, in lower case. */
  readonly hosts: readonly string[];
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** Credit of new accounts; `null` for none. */
  readonly signupCredit: ServiceTokens | null;
  /** Days after which the credit of a new account expires; `null` for never. */
  readonly signupCreditDays: number | null;
  /** Line that tells owners how to get credit; `null` for none. */
  readonly creditLine: string | null;
  /** `null` without an issuer. */
  readonly issuer: IssuerSettings | null;
  /** Networks from which operators may sign in; empty for any. */
  readonly operatorNetworks: readonly string[];
}

type DashboardValues = Pick<
  VariableValues,
  'PUBLIC_URL' | 'DASHBOARD_HOSTS' | 'SIGN_UP' | 'SIGNUP_CREDIT' | 'SIGNUP_CREDIT_DAYS' | 'CREDIT_LINE' | 'REQUIRE_SECOND_FACTOR' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'OIDC_TRUST_EMAIL' | 'OPERATOR_NETWORKS' | 'NODE_ENV'
>;

/** The settings of the dashboard; defaults are stricter in production. */
export function dashboardSettings(values: DashboardValues): DashboardSettings {
  const isProduction = values.NODE_ENV === 'production';
  return {
    publicUrl: values.PUBLIC_URL,
    hosts: values.DASHBOARD_HOSTS ?? [],
    signUp: values.SIGN_UP ?? (isProduction ? 'invitation' : 'open'),
    secondFactor: values.REQUIRE_SECOND_FACTOR ?? (isProduction ? 'operators' : 'none'),
    signupCredit: values.SIGNUP_CREDIT,
    signupCreditDays: values.SIGNUP_CREDIT_DAYS === 0 ? null : values.SIGNUP_CREDIT_DAYS,
    creditLine: values.CREDIT_LINE,
    issuer: issuerSettings(values),
    operatorNetworks: values.OPERATOR_NETWORKS,
  };
}
