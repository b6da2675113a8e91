import { foldEmail } from '@tollgate/core';
import { getDomain } from 'tldts';
import type { Mail } from './mail.js';

/** The address was validated; only its host name is looked up. */
const HOST_NAME = { extractHostname: false, validateHostname: false, detectIp: false } as const;

/** Registrable domain: its owner can create subdomains at no cost. Subdomains that a provider gives away count for the provider. */
export function mailDomainOf({ to }: Pick<Mail, 'to'>): string {
  const email = foldEmail(to);
  const host = email.slice(email.lastIndexOf('@') + 1);
  return getDomain(host, HOST_NAME) ?? host;
}
