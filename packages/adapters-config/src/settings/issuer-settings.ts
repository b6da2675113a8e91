import { z } from 'zod';
import type { VariableValues } from './variables.js';

export interface IssuerSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Name of the issuer in the dashboard. */
  readonly name: string;
  /** True if the operator vouches for mail addresses that the issuer does not declare verified. */
  readonly trustEmail: boolean;
}

type IssuerValues = Pick<VariableValues, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'OIDC_TRUST_EMAIL'>;

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** URL of the issuer, which is compared exactly with the issuer's own identifier. */
export const issuerUrl = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.test(url.hostname)));
  if (!isSafe) context.addIssue('must be an https:// address, or an http:// address of this machine');
  else if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') context.addIssue('must be an address without credentials, query and fragment');
});

/** Problems of the issuer's settings, one line each. */
export function issuerProblems({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: IssuerValues): readonly string[] {
  const set = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(set).filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === Object.keys(set).length) return [];
  return missing.map((name) => `${name}: must be set together with the other OIDC settings`);
}

/** `null` without an issuer. */
export function issuerSettings({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name, OIDC_TRUST_EMAIL: trust }: IssuerValues): IssuerSettings | null {
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host, trustEmail: trust === 'on' };
}
