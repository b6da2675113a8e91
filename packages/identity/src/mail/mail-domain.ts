import { foldEmail } from '@tollgate/core';
import { getDomain } from 'tldts';
import type { Mail } from './mail.js';

/** What is looked up is a host name of an address, whose form is checked elsewhere. */
const HOST_NAME = { extractHostname: false, validateHostname: false, detectIp: false } as const;

/**
 * The domain that a recipient counts for: the registered one, since its owner has any number of names below it.
 * Names that a provider gives away below its own domain count for the provider, as the mailboxes of a mail provider do: such names cost nothing.
 */
export function mailDomainOf({ to }: Pick<Mail, 'to'>): string {
  const email = foldEmail(to);
  const host = email.slice(email.lastIndexOf('@') + 1);
  return getDomain(host, HOST_NAME) ?? host;
}
