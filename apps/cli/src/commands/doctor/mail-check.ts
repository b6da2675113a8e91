import type { Settings } from '@tollgate/adapters-config';
import { verifyMailServer } from '@tollgate/adapters-mail';
import { type Check, ok, problem, warning } from './check.js';

const NAME = 'mail';

/** Whether the mail server can be signed in to; nothing is sent. */
export async function mailCheck({ mail, mode }: Pick<Settings, 'mail' | 'mode'>): Promise<Check> {
  if (mail.kind === 'folder') {
    const finding = `SMTP_HOST is not set: each message becomes a file in ${mail.folder}`;
    return mode === 'production' ? warning(NAME, `${finding}, and reaches nobody. Set SMTP_HOST and MAIL_FROM.`) : ok(NAME, finding);
  }
  const place = `${mail.host}:${mail.port}`;
  const failure = await verifyMailServer(mail);
  return failure === null ? ok(NAME, `${place} takes messages`) : problem(NAME, `${place} takes no messages: ${failure.explanation} (${failure.code}). Check the settings that begin with SMTP_.`);
}
