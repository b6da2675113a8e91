import { MAIL_PICTURE_ID, type MailFailure, type MailPicture, type MailTransport, type OutgoingMail } from '@tollgate/identity';
import type { SendMailOptions } from 'nodemailer';

/** Sender of all messages. */
export interface MailSender {
  /** Display name; may be empty. */
  readonly name: string;
  readonly address: string;
}

export interface SmtpSettings {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** `starttls`: TLS after the greeting, and no delivery without it. `tls`: TLS from the first byte. `none`: no TLS, for servers on this machine. */
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

/**
 * Opens a transport without connecting. Loads its modules (about 40, which take 6 MB) only when it is called, because gateways without mail do not
 * need them. `picture` is attached to the messages that show it.
 */
export async function openMailTransport(settings: MailSettings, picture: MailPicture | null = null): Promise<MailTransport> {
  if (settings.kind === 'smtp') {
    const { SmtpTransport } = await import('./smtp-transport.js');
    return new SmtpTransport(settings, picture);
  }
  const { MailFolder } = await import('./mail-folder.js');
  return new MailFolder(settings, picture);
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

/** Attaches the picture only to messages that refer to it: a message that was stored before the settings changed may not. */
function attachmentsOf({ html }: OutgoingMail, picture: MailPicture | null): SendMailOptions {
  if (picture === null || !html.includes(`cid:${MAIL_PICTURE_ID}`)) return {};
  return { attachments: [{ cid: MAIL_PICTURE_ID, filename: 'mark.png', contentType: picture.mediaType, contentDisposition: 'inline', content: Buffer.from(picture.bytes) }] };
}

/** Passes names and addresses as separate fields, and permits no content from files or URLs. */
export function messageOptions(mail: OutgoingMail, from: MailSender, picture: MailPicture | null): SendMailOptions {
  const { id, storedAt, to, subject, text, html } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    ...attachmentsOf(mail, picture),
    messageId: `<${id}@${domain}>`,
    date: new Date(storedAt),
    // Suppress automatic replies, by RFC 3834 and by the header that Microsoft Exchange reads.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The properties of a thrown error, which need not be an `Error` of this realm: in tests, the runtime's errors come from another realm. */
export interface ThrownError {
  readonly message: string;
  readonly code?: string;
}

export function errorOf(thrown: unknown): ThrownError {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown as ThrownError : { message: String(thrown) };
}
