import type { MailFailure, MailTransport, OutgoingMail } from '@tollgate/identity';
import type { SendMailOptions } from 'nodemailer';

/** The sender of all messages. */
export interface MailSender {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

export interface SmtpSettings {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** `starttls`: TLS after the greeting, and no delivery without it. `tls`: from the first byte. `none`: for servers on this machine. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly from: MailSender;
}

export interface MailFolderSettings {
  readonly kind: 'folder';
  readonly folder: string;
  readonly from: MailSender;
}

/** Where messages are delivered. */
export type MailSettings = SmtpSettings | MailFolderSettings;

/** Opens the transport that the settings name, without connecting. Its modules are loaded here, about 40 with 6 MB, so that a gateway that sends no mail does not pay for them. */
export async function openMailTransport(settings: MailSettings): Promise<MailTransport> {
  if (settings.kind === 'smtp') {
    const { SmtpTransport } = await import('./smtp-transport.js');
    return new SmtpTransport(settings);
  }
  const { MailFolder } = await import('./mail-folder.js');
  return new MailFolder(settings);
}

/** Connects to a mail server and signs in, and sends nothing; `null` where that succeeds. */
export async function verifyMailServer(settings: SmtpSettings): Promise<MailFailure | null> {
  const { SmtpTransport } = await import('./smtp-transport.js');
  const transport = new SmtpTransport(settings);
  try {
    return await transport.verify();
  } finally {
    await transport.close();
  }
}

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
