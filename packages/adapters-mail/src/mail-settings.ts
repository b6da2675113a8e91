/** Whom messages come from. */
export interface MailSender {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

export interface SmtpSettings {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** `starttls`: TLS after the greeting, and no delivery without it. `tls`: from the first byte. `none`: for servers of this machine. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly from: MailSender;
}

export interface MailFolderSettings {
  readonly kind: 'folder';
  readonly folder: string;
  readonly from: MailSender;
}

/** Where messages go. */
export type MailSettings = SmtpSettings | MailFolderSettings;
