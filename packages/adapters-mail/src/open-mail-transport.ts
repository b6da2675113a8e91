import type { MailFailure, MailTransport, OutgoingMail } from '@tollgate/identity';
import type { SendMailOptions } from 'nodemailer';

/** Sender of all messages. */
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

export type MailSettings = SmtpSettings | MailFolderSettings;

/** Does not connect. Loads its modules here (about 40, 6 MB), which gateways without mail do not need. */
export async function openMailTransport(settings: MailSettings): Promise<MailTransport> {
  if (settings.kind === 'smtp') {
    const { SmtpTransport } = await import('./smtp-transport.js');
    return new SmtpTransport(settings);
  }
  const { MailFolder } = await import('./mail-folder.js');
  return new MailFolder(settings);
}

/** Connects and authenticates; `null` for success. */
export async function verifyMailServer(settings: SmtpSettings): Promise<MailFailure | null> {
  const { SmtpTransport } = await import('./smtp-transport.js');
  const transport = new SmtpTransport(settings);
  try {
    return await transport.verify();
  } finally {
    await transport.close();
  }
}

/** Names and addresses are separate fields, and no content is read from files or URLs. */
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
