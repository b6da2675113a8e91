import { z } from 'zod';
import { isMailAddress, type ServiceTokens } from '@tollgate/core';
import type { SecondFactorPolicy, SignUpPolicy } from '@tollgate/identity';
import type { VariableValues } from './variables.js';

interface IssuerSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Name in the dashboard. */
  readonly name: string;
  /** True if the operator vouches for addresses that the issuer does not declare verified. */
  readonly trustEmail: boolean;
}

type IssuerValues = Pick<VariableValues, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'OIDC_TRUST_EMAIL'>;

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Compared exactly with the issuer's own identifier. */
export const issuerUrl = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname)));
  if (!isSafe) context.addIssue('must be an https:// address, or an http:// address of this machine');
  else if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') context.addIssue('must be an address without credentials, query and fragment');
});

/** One line each. */
export function issuerProblems({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: IssuerValues): readonly string[] {
  const set = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(set).filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === Object.keys(set).length) return [];
  return missing.map((name) => `${name}: must be set together with the other OIDC settings`);
}

/** `null` without an issuer. */
function issuerSettings({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name, OIDC_TRUST_EMAIL: trust }: IssuerValues): IssuerSettings | null {
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host, trustEmail: trust === 'on' };
}

export const SIGN_UP_POLICIES = ['open', 'invitation', 'closed'] as const satisfies readonly SignUpPolicy[];
export const SECOND_FACTOR_POLICIES = ['none', 'operators', 'everybody'] as const satisfies readonly SecondFactorPolicy[];

export interface DashboardSettings {
  /** Scheme, host and port; `null` for localhost and the listening port. */
  readonly publicUrl: string | null;
  /** Further accepted `Host` values, in lower case. */
  readonly hosts: readonly string[];
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** For new accounts; `null` for none. */
  readonly signupCredit: ServiceTokens | null;
  /** Says how to get credit; `null` for none. */
  readonly creditLine: string | null;
  /** `null` without an issuer. */
  readonly issuer: IssuerSettings | null;
  /** Networks for operators; empty for any. */
  readonly operatorNetworks: readonly string[];
}

type DashboardValues = Pick<
  VariableValues,
  'PUBLIC_URL' | 'DASHBOARD_HOSTS' | 'SIGN_UP' | 'SIGNUP_CREDIT' | 'CREDIT_LINE' | 'REQUIRE_SECOND_FACTOR' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'OIDC_TRUST_EMAIL' | 'OPERATOR_NETWORKS' | 'NODE_ENV'
>;

/** Defaults are stricter in production. */
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

export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAME.test(hostname);
}

export const SMTP_SECURITIES = ['starttls', 'tls', 'none'] as const;

/** The name may be empty. */
export interface MailSenderSetting {
  readonly name: string;
  readonly address: string;
}

/** A server or a folder. */
export type MailDestination =
  | {
    readonly kind: 'smtp';
    readonly host: string;
    readonly port: number;
    readonly security: (typeof SMTP_SECURITIES)[number];
    readonly credentials: { readonly user: string; readonly password: string } | null;
    readonly from: MailSenderSetting;
  }
  | { readonly kind: 'folder'; readonly folder: string; readonly from: MailSenderSetting };

const DEFAULT_PORTS = { starttls: 587, tls: 465, none: 25 } as const;
/** Required for files too; it receives no replies. */
const DEFAULT_SENDER: MailSenderSetting = { name: 'Tollgate', address: 'tollgate@localhost' };
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const NAMED_SENDER = /^([^<>"\p{Cc}]{1,100}) <([^<>]+)>$/u;

/** `Name <address>`, or an address. */
export const mailSender: z.ZodType<MailSenderSetting, string> = z.string().transform((text, context) => {
  const [, name = '', address = text] = NAMED_SENDER.exec(text) ?? [];
  if (isMailAddress(address)) return { name: name.trim(), address };
  context.addIssue('must have the form NAME <ADDRESS> or ADDRESS, for example Tollgate <tollgate@example.com>');
  return z.NEVER;
});

/** One line each. */
export function mailProblems(values: VariableValues): readonly string[] {
  const { SMTP_HOST: host, SMTP_USER: user, SMTP_PASSWORD: password, SMTP_SECURITY: security, MAIL_FROM: from } = values;
  const problems: string[] = [];
  if (host === null && (user !== null || password !== null)) problems.push('SMTP_HOST: must be set together with SMTP_USER and SMTP_PASSWORD');
  if (host !== null && security === 'none' && !LOOPBACK.test(host)) problems.push('SMTP_SECURITY: may be none only if SMTP_HOST is localhost, 127.0.0.1 or ::1');
  if (user !== null && password === null) problems.push('SMTP_PASSWORD: must be set together with SMTP_USER');
  if (user === null && password !== null) problems.push('SMTP_USER: must be set together with SMTP_PASSWORD');
  if (host !== null && from === null) problems.push('MAIL_FROM: must be set together with SMTP_HOST');
  return problems;
}

/** The settings must be without problems. */
export function mailDestinationOf(values: VariableValues): MailDestination {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_SECURITY: security, SMTP_USER: user, SMTP_PASSWORD: password, MAIL_FOLDER: folder, MAIL_FROM } = values;
  const from = MAIL_FROM ?? DEFAULT_SENDER;
  if (host === null) return { kind: 'folder', folder, from };
  const credentials = user === null || password === null ? null : { user, password };
  return { kind: 'smtp', host, port: port ?? DEFAULT_PORTS[security], security, credentials, from };
}
