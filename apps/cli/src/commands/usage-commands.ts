import {
  PAGE_SIZES, type ApiKeyId, explainCharge, later, MAX_SUMMARY_GROUPS, MILLISECONDS_PER_DAY, type ModelSlug, NO_USAGE_FILTERS, outputTokensOf, PROMPT_COUNTS, promptTokensOf,
  type RequestId, rfc3339, startOfNextUtcDay, startOfUtcDay, USAGE_GROUPINGS, type UsageGrouping, type UsageRecord,
} from '@tollgate/core';
import { encodeOperatorUsageRecord, encodeUsageBucket, USAGE_EXPORT_FORMATS } from '@tollgate/wire-kit';
import { type Command, Option } from 'commander';
import { CLASS_HEADINGS, classLines } from '../program/class-lines.js';
import { encodeCharge } from '../program/encode-booked-request.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { list, type Report, type ReportPart, tableOr, time } from '../program/report.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { ACCOUNT_ARGUMENT, findAccount } from '../program/find-account.js';
import { pageSizeOption } from '../program/option-values.js';
import { type PeriodOptions, withPeriod } from '../program/period-options.js';
import { addFirstTokenCommand } from './first-tokens.js';
import { exportUsageRecords, type UsageExportOptions } from './usage-export.js';

const ENDED = 'only requests that ended';

interface SummaryOptions extends PeriodOptions { readonly by: UsageGrouping }

export function addUsageCommands(program: Command, runtime: CommandRuntime): void {
  const usage = program.command('usage').description('usage and charges of accounts');
  withPeriod(usage.command('list').description('usage records, newest first').argument(...ACCOUNT_ARGUMENT), runtime, ENDED)
    .option('--model <slug>', 'only requests that this model served')
    .option('--key <id>', 'only requests with this key')
    .option('--user <text>', 'only requests for this user of the client')
    .option(...pageSizeOption(PAGE_SIZES.usage.commandLine))
    .option('--cursor <text>', 'continue where an earlier list with the same filters ended')
    .action((account: string, options: UsageListOptions, command: Command) => runtime.perform(command, (session) => listUsage(session, account, options)));
  usage.command('show').description('one usage record with its charge explained').argument(...ACCOUNT_ARGUMENT)
    .argument('<request>', 'its id (req_…)')
    .action((...[account, request, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => showUsage(session, account, request)));
  withPeriod(usage.command('summary').description('totals of whole UTC days; the 1000 groups with the largest charges at most').argument(...ACCOUNT_ARGUMENT), runtime, ENDED)
    .addOption(new Option('--by <group>', 'group by').choices(USAGE_GROUPINGS).default('day'))
    .action((account: string, options: SummaryOptions, command: Command) =>
      runtime.perform(command, (session) => summariseUsage(session, account, options)));
  addFirstTokenCommand(usage, runtime);
  addExportCommand(usage, runtime);
}

function addExportCommand(usage: Command, runtime: CommandRuntime): void {
  withPeriod(usage.command('export').description('all usage records of a period, newest first, for a spreadsheet (csv) or a program (ndjson)'), runtime, ENDED)
    .option('--account <account>', 'records of this account: its id (acct_…) or e-mail address')
    .option('--all', 'records of all accounts')
    .option('--model <slug>', 'only requests that this model served')
    .option('--key <id>', 'only requests with this key')
    .option('--user <text>', 'only requests for this user of the client')
    .addOption(new Option('--format <format>', 'format of the file').choices(USAGE_EXPORT_FORMATS).default('csv'))
    .option('--no-bom', 'leave out the byte order mark by which spreadsheets know that a CSV file is UTF-8')
    .option('--output <file>', 'a file instead of standard output')
    .option(...YES_OPTION)
    .action((options: UsageExportOptions, command: Command) => exportUsageRecords(runtime, command, options));
}

interface UsageListOptions extends PeriodOptions {
  readonly model?: string;
  readonly key?: string;
  readonly user?: string;
  readonly limit: number;
  readonly cursor?: string;
}

async function listUsage(session: OperatorSession, idOrEmail: string, options: UsageListOptions): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const now = session.clock.now();
  const page = await session.store.usage.list({
    ...NO_USAGE_FILTERS,
    accountId: id,
    from: options.from?.(now) ?? null,
    to: options.to?.(now) ?? null,
    model: (options.model ?? null) as ModelSlug | null,
    keyId: (options.key ?? null) as ApiKeyId | null,
    attribution: options.user ?? null,
    limit: options.limit,
    cursor: options.cursor ?? null,
  });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of this account and these filters');
  return {
    json: { usage: page.records.map(encodeOperatorUsageRecord), next_cursor: page.nextCursor },
    lines: [
      ...tableOr('There is no such usage record.', ['REQUEST', 'ENDED', 'MODEL', 'INPUT', 'OUTPUT', 'CHARGED', 'USD', 'RESULT'], page.records.map((record) => [
        record.requestId, time(record.endedAt), record.service?.servedBy ?? null, promptTokensOf(record.usage), outputTokensOf(record.usage),
        record.charge.amount.toString(), record.charge.usd.toString(), record.reason,
      ])),
      ...(page.nextCursor === null ? [] : [`There are more: --cursor ${page.nextCursor}`]),
    ],
  };
}

/** Shows a record, and how its charge follows from its counts and prices. */
async function showUsage(session: OperatorSession, idOrEmail: string, requestId: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const record = await session.store.usage.find(id, requestId as RequestId);
  if (record === null) throw new CommandFailure(`the account has no request ${requestId}`);
  return { json: { usage: encodeOperatorUsageRecord(record), charge: encodeCharge(record) }, lines: linesOf(record) };
}

function linesOf(record: UsageRecord): readonly ReportPart[] {
  const { lines, sum, rounding } = explainCharge(record);
  return [
    ...list({
      Request: record.requestId,
      Model: record.service?.servedBy ?? 'none',
      Ended: `${rfc3339(record.endedAt)}, ${record.reason}`,
      Tokens: record.usage.source,
    }),
    '',
    ...classLines(lines, record.usdPerServiceToken),
    '',
    ...list({
      Sum: sum,
      'Rounded up by': rounding,
      'Written off': record.writeOff.toString(),
      Charged: `${record.charge.amount.toString()} service tokens`,
      USD: `${record.charge.usd.toString()}, at ${record.usdPerServiceToken} for a service token`,
    }),
  ];
}

const DEFAULT_DAYS = 30;

/** Shows totals for each of at most 1,000 groups, those with the largest charges. Default period: today and the 30 days before. */
async function summariseUsage(session: OperatorSession, idOrEmail: string, { by, from, to }: SummaryOptions): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const now = session.clock.now();
  const start = from?.(now) ?? later(startOfUtcDay(now), -DEFAULT_DAYS * MILLISECONDS_PER_DAY);
  const buckets = await session.store.usage.summary({ accountId: id, from: start, to: to?.(now) ?? startOfNextUtcDay(now), groupBy: by, limit: MAX_SUMMARY_GROUPS });
  return {
    json: {
      group_by: by,
      buckets: buckets.map(encodeUsageBucket),
    },
    lines: tableOr('There is no usage in this period.', [by.toUpperCase(), 'REQUESTS', ...PROMPT_COUNTS.map(({ name }) => CLASS_HEADINGS[name]), CLASS_HEADINGS.output, 'CHARGED', 'USD'], buckets.map((bucket) => [
      bucket.group ?? '(none)', bucket.requests, ...PROMPT_COUNTS.map(({ field }) => bucket[field]), bucket.outputTokens, bucket.charged.toString(), bucket.chargedUsd,
    ])),
  };
}
