import type { MailFailure, MailTransport } from '@tollgate/core';

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
