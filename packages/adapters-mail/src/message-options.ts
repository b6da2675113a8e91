import type { OutgoingMail } from '@tollgate/core';
import type { SendMailOptions } from 'nodemailer';
import type { MailSender } from './open-mail-transport.js';

/** A message as nodemailer takes it. Names and addresses are separate, so that neither can pass for the other, and no content is read from a file or a URL. */
export function messageOptions(mail: OutgoingMail, from: MailSender): SendMailOptions {
  const { id, storedAt, to, subject, text, html } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    date: new Date(storedAt),
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The properties of an error. Not `Error`: errors of the runtime may come from another realm, as in tests. */
export interface ThrownError {
  readonly message: string;
  readonly code?: string;
}

export function errorOf(thrown: unknown): ThrownError {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown as ThrownError : { message: String(thrown) };
}
