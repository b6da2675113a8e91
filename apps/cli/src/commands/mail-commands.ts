import { resolve } from 'node:path';
import { type MailAppearance, mailAppearance, type Settings } from '@tollgate/adapters-config';
import { openMailTransport } from '@tollgate/adapters-mail';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { DEFAULT_MAIL_LANGUAGE, MAIL_LANGUAGES, MAIL_NAMES, type MailContent, type MailId, type MailLanguage, type MailOutcome, type MailSite, testMessage } from '@tollgate/identity';
import { type Command, Option } from 'commander';
import type { CommandRuntime } from '../program/command-runtime.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';
import { mailAddressValue } from '../program/option-values.js';
import { CommandFailure } from '../program/command-failure.js';
import type { Report } from '../program/report.js';
import { addTraceCommands } from './mail-trace.js';
import { sampleMails } from './sample-mails.js';

const SAMPLE_RECIPIENT = 'customer@example.com';

export function addMailCommands(program: Command, runtime: CommandRuntime): void {
  const mail = program.command('mail').description('the mail that the gateway sends');
  mail.command('test').description('send one message now with the mail settings and print the response of its server; needs no database')
    .requiredOption('--to <address>', 'the recipient', mailAddressValue)
    .action(async ({ to }: { readonly to: string }, command: Command) => runtime.report(command, await sendTestMail(runtime.programContext, to)));
  mail.command('preview').description('print the messages that the gateway sends, with the texts of MAIL_TEMPLATES; needs no database')
    .argument('[name]', 'one message, such as reset-password; all without it')
    .addOption(new Option('--language <language>', 'of the reader').choices(MAIL_LANGUAGES).default(DEFAULT_MAIL_LANGUAGE))
    .option('--output <folder>', 'also write each message there as it arrives, as an .eml file that mail programs open')
    .action(async (name: string | undefined, { language, output }: { readonly language: MailLanguage; readonly output?: string }, command: Command) =>
      runtime.report(command, await previewReport(runtime.programContext, { name: name ?? null, language, output: output ?? null })));
  addTraceCommands(mail, runtime);
}

/** Appearance and links of the messages. Needs no `PUBLIC_URL`, because the links of test and sample messages do not have to work. */
function mailSiteOf({ dashboard: { publicUrl }, port, brand, mailTemplates: templates }: Settings, { look }: MailAppearance): MailSite {
  return { baseUrl: publicUrl ?? `http://localhost:${port}`, product: brand.name, tokenWord: brand.tokenWord, templates, look };
}

async function sendTestMail(programContext: ProgramContext, to: string): Promise<Report> {
  const { settings } = settingsOf(programContext);
  const { mail } = settings;
  const appearance = mailAppearance(settings.brand);
  const content = testMessage(mailSiteOf(settings, appearance));
  const transport = await openMailTransport(mail, appearance.picture);
  try {
    return deliveryReport(await transport.deliver({ ...content, to, id: new RandomIds().mailId(), storedAt: new SystemClock().now() }), mail.kind);
  } finally {
    await transport.close();
  }
}

interface Preview {
  readonly name: string | null;
  readonly language: MailLanguage;
  /** Folder for the messages, which are written there in addition to the report; `null` for none. */
  readonly output: string | null;
}

/** Writes each message to a file that is named after its kind. */
async function writeMessages(folder: string, messages: readonly MailContent[], { mail: { from }, brand }: Settings): Promise<void> {
  const transport = await openMailTransport({ kind: 'folder', folder, from }, mailAppearance(brand).picture);
  for (const message of messages) {
    const outcome = await transport.deliver({ ...message, to: SAMPLE_RECIPIENT, id: message.kind as string as MailId, storedAt: new SystemClock().now() });
    if (outcome.outcome !== 'delivered') throw new CommandFailure(`the messages cannot be written to ${folder}: ${outcome.failure.explanation}`);
  }
}

async function previewReport(programContext: ProgramContext, { name, language, output }: Preview): Promise<Report> {
  const { settings } = settingsOf(programContext);
  const site = { ...mailSiteOf(settings, mailAppearance(settings.brand)), language };
  const samples = sampleMails(site, settings.dashboard.creditLine);
  const names = name === null ? MAIL_NAMES : MAIL_NAMES.filter((known) => known === name);
  if (names.length === 0) throw new CommandFailure(`there is no message ${name ?? ''}; the messages are ${MAIL_NAMES.join(', ')}`);
  const shown = names.map((each) => ({ name: each, replaced: [each, `${each}.${language}` as const].some((template) => site.templates?.has(template) === true), ...samples[each] }));
  if (output !== null) await writeMessages(resolve(programContext.folder, output), shown, settings);
  return {
    json: { object: 'list', data: shown.map(({ name: each, replaced, subject, text }) => ({ name: each, replaced, subject, text })) },
    lines: shown.flatMap(({ name: each, replaced, subject, text }, place) => [
      ...(place === 0 ? [] : ['']), `== ${each}${replaced ? ', from MAIL_TEMPLATES' : ''}`, `Subject: ${subject}`, '', ...text.trimEnd().split('\n'),
    ]),
  };
}

function deliveryReport(result: MailOutcome, kind: 'smtp' | 'folder'): Report {
  if (result.outcome !== 'delivered') {
    const { code, explanation } = result.failure;
    throw new CommandFailure(`the message was not delivered (${code}): ${explanation}`);
  }
  const { place } = result;
  const line = kind === 'smtp'
    ? `${place} accepted the message. Only its recipient can tell whether it arrives.`
    : `The message is written to ${place}, since SMTP_HOST is not set.`;
  return { json: { outcome: 'delivered', kind, place }, lines: [line] };
}
