import { isMailAddress } from '@tollgate/core';
import { z } from 'zod';
import type { VariableValues } from './variables.js';

export const SMTP_SECURITIES = ['starttls', 'tls', 'none'] as const;

/** Sender of all messages; the name may be empty. */
export interface MailSenderSetting {
  readonly name: string;
  readonly address: string;
}

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
/** Sender's address without `MAIL_FROM`, which only messages that are written to files may lack. It does not receive replies. */
const DEFAULT_ADDRESS = 'tollgate@localhost';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const NAMED_SENDER = /^([^<>"\p{Cc}]{1,100}) <([^<>]+)>$/u;

/** A sender, written as `Name <address>` or as an address. */
export const mailSender: z.ZodType<MailSenderSetting, string> = z.string().transform((text, context) => {
  const [, name = '', address = text] = NAMED_SENDER.exec(text) ?? [];
  if (isMailAddress(address)) return { name: name.trim(), address };
  context.addIssue('must have the form NAME <ADDRESS> or ADDRESS, for example Tollgate <tollgate@example.com>');
  return z.NEVER;
});

/** Problems of the mail settings, one line each. */
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

/** Requires values for which `mailProblems` is empty. */
export function mailDestinationOf(values: VariableValues): MailDestination {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_SECURITY: security, SMTP_USER: user, SMTP_PASSWORD: password, MAIL_FOLDER: folder, MAIL_FROM, BRAND_NAME: name } = values;
  const from = MAIL_FROM ?? { name, address: DEFAULT_ADDRESS };
  if (host === null) return { kind: 'folder', folder, from };
  const credentials = user === null || password === null ? null : { user, password };
  return { kind: 'smtp', host, port: port ?? DEFAULT_PORTS[security], security, credentials, from };
}
