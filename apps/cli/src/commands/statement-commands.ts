import { writeFile } from 'node:fs/promises';
import { type JsonObject, type NamedStatement, PAGE_SIZES, type StatementVerification, type UtcMonth, verifyAllStatements } from '@tollgate/core';
import { encodeStatementSummary } from '@tollgate/wire-kit';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import { findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { withFormerNames } from '../program/former-names.js';
import { pageSizeOption } from '../program/option-values.js';
import { confirmOutput } from '../program/output-file.js';
import { list, type Report, table, time } from '../program/report.js';

const NUMBER_ARGUMENT = ['<number>', 'its number, as `statements list` shows it', numberValue] as const;
const FORMATS = ['json', 'csv', 'pdf'] as const;
type Format = (typeof FORMATS)[number];

interface ListOptions { readonly account?: string; readonly month?: UtcMonth; readonly cursor?: number; readonly limit: number }
interface ExportOptions { readonly format: Format; readonly output?: string }

type ListAction = [options: ListOptions, command: Command];
type ShowAction = [number: number, options: unknown, command: Command];
type ExportAction = [number: number, options: ExportOptions, command: Command];

export function addStatementCommands(program: Command, runtime: CommandRuntime): void {
  const statements = program.command('statements').description('monthly statements of accounts');
  withFormerNames(statements.command('list').description('statements of all accounts, newest first')
    .option('--account <account>', 'only of this account: its id or e-mail address').option('--month <month>', 'only of this UTC month, such as 2026-03', monthValue)
    .option('--cursor <number>', 'continue where an earlier list ended', numberValue).option(...pageSizeOption(PAGE_SIZES.statements.commandLine)), runtime, { before: 'cursor' })
    .action((...[options, command]: ListAction) => runtime.perform(command, (session) => listStatements(session, options)));
  statements.command('show').description('one statement').argument(...NUMBER_ARGUMENT)
    .action((...[number, , command]: ShowAction) => runtime.perform(command, async (session) => reportStatement(await foundStatement(session, number))));
  statements.command('export').description('write a statement as a file; the same bytes each time').argument(...NUMBER_ARGUMENT)
    .option('--format <format>', `${FORMATS.join(', ')} (default: pdf)`, formatValue, 'pdf' as Format).option('--output <file>', 'the file to write; required for pdf, standard output otherwise').option(...YES_OPTION)
    .action((...[number, options, command]: ExportAction) => exportStatement(runtime, command, { number, ...options }));
  statements.command('verify').description('compare every statement with the ledger; exit code 1 if one differs')
    .action((_options: unknown, command: Command) => {
      const progress = runtime.progressOf(command);
      return runtime.performReading(command, async (reader) => reportVerification(await verifyAllStatements(reader.statements, ({ accounts }) => progress(`${accounts} accounts …`))));
    });
  statements.command('make').description('make the statements of months that are over now; a running gateway does so every hour')
    .action((_options: unknown, command: Command) => runtime.perform(command, (session) => makeStatements(session, runtime)));
}

function numberValue(text: string): number {
  const number = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return number;
}

function monthValue(text: string): UtcMonth {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month such as 2026-03.');
  return text as UtcMonth;
}

function formatValue(text: string): Format {
  const format = FORMATS.find((known) => known === text);
  if (format === undefined) throw new InvalidArgumentError(`It must be one of ${FORMATS.join(', ')}.`);
  return format;
}

async function listStatements(session: OperatorSession, { account, month, cursor, limit }: ListOptions): Promise<Report> {
  const accountId = account === undefined ? null : (await findAccount(session, account)).id;
  const { statements, hasMore } = await session.statements.list({ accountId, month: month ?? null, before: cursor ?? null, limit });
  const last = statements.at(-1);
  return {
    json: { statements: statements.map(encodeStatementSummary), has_more: hasMore },
    lines: statements.length === 0 ? ['There is no such statement. They are made an hour after the end of a month.'] : [
      ...table(['NUMBER', 'MONTH', 'ACCOUNT', 'OPENING', 'CLOSING', 'MADE'], statements.map((each) => [String(each.number), each.month, each.accountId, each.opening, each.closing, time(each.madeAt)])),
      ...(hasMore && last !== undefined ? [`There are more: --cursor ${last.number}`] : []),
    ],
  };
}

async function foundStatement({ statements }: OperatorSession, number: number): Promise<NamedStatement> {
  const statement = await statements.find(number, null);
  if (statement === null) throw new CommandFailure(`there is no statement ${number}; \`tollgate statements list\` shows them`);
  return statement;
}

function reportStatement(statement: NamedStatement): Report {
  const { number, account_id: account, month, made_at: madeAt, names, opening_balance: opening, closing_balance: closing, totals, charges, entries, entries_not_listed: unlisted } = statement;
  return {
    json: JSON.parse(JSON.stringify(statement)) as JsonObject,
    lines: [
      ...list({ Statement: String(number), Account: `${account}${names === null ? '' : `, ${names.account.name}, ${names.account.email}`}`, Month: month, Made: madeAt }),
      '',
      ...table(['KIND', 'ENTRIES', 'SERVICE TOKENS'], [['opening balance', '', opening], ...totals.map(({ kind, entries: count, svc_tokens: amount }) => [kind, String(count), amount]), ['closing balance', '', closing]]),
      ...(charges.length === 0 ? [] : ['', ...table(['DAY', 'MODEL', 'KEY', 'CHARGES', 'SERVICE TOKENS'], charges.map((line) => [line.day, line.model ?? 'further models', line.key_id ?? 'further keys', String(line.entries), line.svc_tokens]))]),
      ...(entries.length === 0 ? [] : ['', ...table(['DAY', 'KIND', 'ENTRY', 'SERVICE TOKENS', 'REFERENCE'], entries.map((entry) => [entry.day, entry.kind, entry.entry, entry.svc_tokens, names?.references[entry.entry] ?? '']))]),
      ...(unlisted === 0 ? [] : [`${unlisted} further entries are in the totals only.`]),
    ],
  };
}

async function exportStatement(runtime: CommandRuntime, command: Command, { number, format, output }: ExportOptions & { readonly number: number }): Promise<void> {
  if (output === undefined && format === 'pdf') throw misuse('option \'--output <file>\' is needed for a pdf');
  const path = output === undefined ? null : await confirmOutput(runtime, command, output);
  await runtime.perform(command, async (session): Promise<Report | null> => {
    const statement = await foundStatement(session, number);
    const content = format === 'json' ? `${JSON.stringify(statement, null, 2)}\n` : await session.statements.file(number, format, null);
    if (content === null) throw new CommandFailure(`there is no statement ${number}`);
    if (path === null) {
      await runtime.write(typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content));
      return null;
    }
    await writeFile(path, content, { mode: 0o600 });
    return { json: { file: path, number }, lines: [`Statement ${number} is in ${path}`] };
  });
}

function reportVerification({ accounts, statements, differences }: StatementVerification): Report {
  const counted = `${statements} statements of ${accounts} accounts compared with the ledger`;
  return {
    json: { accounts, statements, differences: differences.map(({ accountId, number, fault }) => ({ account_id: accountId, number, fault })) },
    lines: differences.length === 0 ? [`${counted}: no difference.`] : [
      ...table(['STATEMENT', 'ACCOUNT', 'DIFFERENCE'], differences.map(({ accountId, number, fault }) => [number === null ? '' : String(number), accountId ?? '', fault])),
      `${counted}: ${differences.length} differences.`,
    ],
    exitCode: differences.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

/** The message of a failure and those of its causes. */
function textOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  return cause === undefined ? String(failure) : `${String(failure)}: ${textOf(cause)}`;
}

/** Prints failures at once, because a later step may fail. */
async function makeStatements({ statements }: OperatorSession, runtime: CommandRuntime): Promise<Report> {
  const failures: string[] = [];
  const { made, outcome } = await statements.makeAll((failure) => {
    const text = textOf(failure);
    failures.push(text);
    runtime.hint(text);
  });
  const rest = outcome === 'busy' ? ' A gateway is making statements at the moment.' : '';
  return {
    json: { made, busy: outcome === 'busy', failures }, lines: [`${made} statements were made.${rest}`],
    exitCode: failures.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}
