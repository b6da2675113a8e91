import { z } from 'zod';
import { mailSender, SMTP_SECURITIES } from './mail-settings.js';
import { readMailTemplates } from './mail-templates.js';
import { variable } from './variable.js';
import { hostName, wholeNumber } from './variable-schemas.js';

const templates = z.string().transform((folder, context) => {
  const reading = readMailTemplates(folder);
  if ('templates' in reading) return reading.templates;
  for (const problem of reading.problems) context.addIssue(problem);
  return z.NEVER;
});

export const MAIL_VARIABLES = {
  SMTP_HOST: variable(hostName, {
    default: null, unit: null, meaning: 'Mail server that delivers messages. Without it, each message becomes a file in MAIL_FOLDER.',
  }),
  SMTP_PORT: variable(wholeNumber(1, 65_535), {
    default: null, unit: null, meaning: 'Port of the mail server. Without it, 587 with SMTP_SECURITY=starttls, 465 with tls, 25 with none.',
  }),
  SMTP_SECURITY: variable(z.enum(SMTP_SECURITIES, { error: `must be one of ${SMTP_SECURITIES.join(', ')}` }), {
    default: 'starttls', unit: null,
    meaning: 'Encryption of the connection to the mail server: starttls, required after the greeting; tls, from the first byte; none, only for a server on this machine.',
  }),
  SMTP_USER: variable(z.string(), { default: null, unit: null, meaning: 'User name of the gateway at the mail server, with SMTP_PASSWORD.' }),
  SMTP_PASSWORD: variable(z.string(), { default: null, unit: null, meaning: 'Password of that user.' }),
  MAIL_FROM: variable(mailSender, {
    default: null, unit: null, meaning: 'Sender of messages: NAME <ADDRESS> or ADDRESS. Required with SMTP_HOST.',
  }),
  MAIL_TEMPLATES: variable(templates, {
    default: null, unit: null, meaning: 'Folder with files that replace the texts of messages. They are checked at the start, and shown by `tollgate mail preview`.',
  }),
  MAIL_FOLDER: variable(z.string(), {
    default: 'data/mail', unit: null, meaning: 'Folder for messages as .eml files if SMTP_HOST is not set. It is created if it is missing.',
  }),
} as const;
