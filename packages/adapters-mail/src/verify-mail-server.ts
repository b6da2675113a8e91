import type { MailFailure } from '@tollgate/core';
import type { SmtpSettings } from './mail-settings.js';

/** Connects to a mail server and signs in, and sends nothing; `null` where that succeeds. */
export async function verifyMailServer(settings: SmtpSettings): Promise<MailFailure | null> {
  const { SmtpTransport } = await import('./smtp/smtp-transport.js');
  const transport = new SmtpTransport(settings);
  try {
    return await transport.verify();
  } finally {
    await transport.close();
  }
}
