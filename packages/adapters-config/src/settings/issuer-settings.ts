import { z } from 'zod';
import type { VariableValues } from './variables.js';

/** The OpenID Connect issuer that people may sign in by. */
export interface IssuerSettings {
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
export function issuerSettings({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name }: IssuerValues): IssuerSettings | null {
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host };
}
