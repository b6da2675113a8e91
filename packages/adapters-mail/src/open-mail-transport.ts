import type { MailTransport } from '@tollgate/core';
import type { MailSettings } from './mail-settings.js';

/** Loads what delivers messages to where the settings say: about 40 modules and 6 MB, which a gateway that sends none does without. Connects to nothing. */
export async function openMailTransport(settings: MailSettings): Promise<MailTransport> {
  if (settings.kind === 'smtp') {
    const { SmtpTransport } = await import('./smtp/smtp-transport.js');
    return new SmtpTransport(settings);
  }
  const { MailFolder } = await import('./folder/mail-folder.js');
  return new MailFolder(settings);
}
