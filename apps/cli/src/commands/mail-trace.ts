import { type AccountId, PAGE_SIZES, rfc3339 } from '@tollgate/core';
import {
  isResendable, type ListedMail, MAIL_NAMES, MAIL_RESEND_EXPLANATIONS, mailFailureReason, type MailFailureReason, type MailId, type MailName, MailRefused, type MailState,
} from '@tollgate/identity';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure } from '../program/command-failure.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { pageSizeOption } from '../program/option-values.js';
import { type Cell, type Report, tableOr, time } from '../program/report.js';

const STATES: readonly MailState[] = ['waiting', 'delivered', 'given-up'];

interface ListOptions {
  readonly account?: string;
  readonly to?: string;
  readonly state?: MailState;
  readonly kind?: MailName;
  readonly cursor?: string;
  readonly limit: number;
}

type ListAction = [options: ListOptions, command: Command];
type ResendAction = [mail: string, options: unknown, command: Command];

export function addTraceCommands(mail: Command, runtime: CommandRuntime): void {
  mail.command('list').description('mail of the last 30 days without its contents, newest first: to whom, whether it was delivered, and why not')
    .option('--account <account>', 'only of this account: its id or e-mail address').option('--to <text>', 'only to addresses with this part')
    .option('--state <state>', `only in this state: ${STATES.join(', ')}`, oneOf(STATES)).option('--kind <kind>', 'only of this kind, such as reset-password', oneOf(MAIL_NAMES))
    .option('--cursor <mail>', 'continue where an earlier list ended').option(...pageSizeOption(PAGE_SIZES.mail.commandLine))
    .action((...[options, command]: ListAction) => runtime.perform(command, (session) => listMail(session, options)));
  mail.command('resend').description('send a message again that was delivered or given up, with a new link; the running gateway delivers it').argument('<mail>', 'its id (mail_…)')
    .action((...[id, , command]: ResendAction) => runtime.perform(command, (session) => resendMail(session, id)));
}

function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const value = values.find((known) => known === text);
    if (value === undefined) throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
    return value;
  };
}

/** Explains the reason of a failed attempt. `null`: only the code of the failure is printed. */
const REASONS: Readonly<Record<MailFailureReason, string | null>> = {
  expired: 'not delivered within a day',
  unreachable: 'the mail server cannot be reached',
  'timed-out': 'the mail server did not answer in time',
  encryption: 'no encrypted connection to the mail server',
  credentials: 'the mail server refuses SMTP_USER or SMTP_PASSWORD',
  sender: 'the mail server refuses MAIL_FROM',
  'no-such-address': 'the address does not exist',
  'mailbox-full': 'the mailbox is full',
  'too-large': 'the message is too large for the recipient',
  policy: 'refused as unwanted mail, or by a rule of the recipient',
  'try-later': 'the mail server asks to try later',
  refused: 'the mail server refuses the message',
  file: 'the file in MAIL_FOLDER cannot be written',
  other: null,
};

function failureText(code: string): string {
  const reason = REASONS[mailFailureReason(code)];
  return reason === null ? code : `${reason} (${code})`;
}

function cellsOf({ id, storedAt, kind, to, state, attempts, endedAt, dueAt, lastFailure }: ListedMail): readonly Cell[] {
  const why = lastFailure === null || state === 'delivered' ? null : failureText(lastFailure);
  return [id, time(storedAt), kind, to, state, attempts, time(endedAt ?? dueAt), why];
}

function encode(mail: ListedMail) {
  const { id, kind, accountId, to, state, attempts, lastFailure, storedAt, dueAt, endedAt } = mail;
  return {
    id, kind, account_id: accountId, to, state, attempts, last_error: lastFailure, error_reason: lastFailure === null ? null : mailFailureReason(lastFailure),
    resendable: isResendable(mail), stored_at: rfc3339(storedAt), next_attempt_at: dueAt === null ? null : rfc3339(dueAt), ended_at: endedAt === null ? null : rfc3339(endedAt),
  };
}

async function listMail(session: OperatorSession, { account, to, state, kind, cursor, limit }: ListOptions): Promise<Report> {
  const { store: { mail } } = session;
  const accountId: AccountId | null = account === undefined ? null : (await findAccount(session, account)).id;
  const after = cursor === undefined ? null : await mail.find(cursor as MailId);
  if (cursor !== undefined && after === null) throw new CommandFailure(`there is no message ${cursor}`);
  const found = await mail.list({ limit: limit + 1, after, filter: { accountId, to: to ?? null, state: state ?? null, kind: kind ?? null } });
  const mails = found.slice(0, limit);
  const next = found.length > limit ? mails.at(-1)?.id ?? null : null;
  return {
    json: { mail: mails.map(encode), next_cursor: next },
    lines: [
      ...tableOr('There is no message.', ['ID', 'WRITTEN', 'KIND', 'TO', 'STATE', 'TRIES', 'END OR NEXT TRY', 'REASON'], mails.map(cellsOf)),
      ...(next === null ? [] : [`There are more: --cursor ${next}`]),
    ],
  };
}

async function resendMail(session: OperatorSession, id: string): Promise<Report> {
  const resent = await session.mailResends.resend(id as MailId, session.act()).catch((thrown: unknown) => {
    throw thrown instanceof MailRefused ? new CommandFailure(thrown.message) : thrown;
  });
  if (resent.outcome !== 'sent') throw new CommandFailure(`${id}: ${MAIL_RESEND_EXPLANATIONS[resent.outcome]}`);
  return { json: { id, to: resent.to, queued: true }, lines: [`A new message to ${resent.to} is queued. A running gateway delivers it within a minute; \`tollgate mail list\` shows whether it arrives.`] };
}
