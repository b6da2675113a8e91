import { openMailTransport } from '@tollgate/adapters-mail';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { type MailOutcome, testMessage } from '@tollgate/identity';
import type { Command } from 'commander';
import type { CommandRuntime } from '../program/command-runtime.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';
import { mailAddressValue } from '../program/option-values.js';
import { CommandFailure } from '../program/command-failure.js';
import type { Report } from '../program/report.js';

export function addMailCommands(program: Command, runtime: CommandRuntime): void {
  program.command('mail').description('mail')
    .command('test').description('send one message now with the mail settings and print the response of its server; needs no database')
    .requiredOption('--to <address>', 'the recipient', mailAddressValue)
    .action(async ({ to }: { readonly to: string }, command: Command) => runtime.report(command, await sendTestMail(runtime.programContext, to)));
}

async function sendTestMail(programContext: ProgramContext, to: string): Promise<Report> {
  const { settings: { mail, brand } } = settingsOf(programContext);
  const transport = await openMailTransport(mail);
  try {
    return deliveryReport(await transport.deliver({ ...testMessage({ product: brand.name }), to, id: new RandomIds().mailId(), storedAt: new SystemClock().now() }), mail.kind);
  } finally {
    await transport.close();
  }
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
