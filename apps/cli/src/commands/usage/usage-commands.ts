import type { UsageGrouping } from '@tollgate/core';
import { USAGE_EXPORT_FORMATS } from '@tollgate/wire-kit';
import { type Command, Option } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../../program/command-runtime.js';
import { ACCOUNT_ARGUMENT } from '../../values/find-account.js';
import { type TimeValue, pageSizeValue, pastTimeValue } from '../../values/option-values.js';
import { exportUsageRecords, type UsageExportOptions } from './export-usage.js';
import { type UsageListOptions, listUsage } from './list-usage.js';
import { showUsage } from './show-usage.js';
import { summariseUsage } from './summarise-usage.js';

const GROUPINGS: readonly UsageGrouping[] = ['day', 'model', 'key', 'user'];

export interface SummaryOptions { readonly by: UsageGrouping; readonly from?: TimeValue; readonly to?: TimeValue }

export function addUsageCommands(program: Command, runtime: CommandRuntime): void {
  const usage = program.command('usage').description('what accounts have used and were charged');
  withPeriod(usage.command('list').description('usage records, newest first').argument(...ACCOUNT_ARGUMENT))
    .option('--model <slug>', 'only what this model served')
    .option('--key <id>', 'only requests with this key')
    .option('--user <text>', 'only requests for this user of the client')
    .option('--limit <number>', 'the most to list, up to 1000', pageSizeValue, 100)
    .option('--cursor <text>', 'read on where an earlier list with the same filters ended')
    .action((account: string, options: UsageListOptions, command: Command) => runtime.perform(command, (session) => listUsage(session, account, options)));
  usage.command('show').description('one usage record with its charge explained').argument(...ACCOUNT_ARGUMENT)
    .argument('<request>', 'its id (req_…)')
    .action((...[account, request, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => showUsage(session, account, request)));
  withPeriod(usage.command('summary').description('totals of whole UTC days; the 1000 groups with the largest charges at most').argument(...ACCOUNT_ARGUMENT))
    .addOption(new Option('--by <group>', 'what to group by').choices(GROUPINGS).default('day'))
    .action((account: string, options: SummaryOptions, command: Command) =>
      runtime.perform(command, (session) => summariseUsage(session, account, options)));
  addExportCommand(usage, runtime);
}

function addExportCommand(usage: Command, runtime: CommandRuntime): void {
  usage.command('export').description('all usage records of a period, newest first, for a spreadsheet (csv) or a program (ndjson)')
    .option('--account <account>', 'of this account: its id (acct_…) or e-mail address')
    .option('--all', 'of all accounts')
    .option('--start <when>', 'that ended at or after a day, a time, or a span back from now such as 7d', pastTimeValue)
    .option('--end <when>', 'that ended before it', pastTimeValue)
    .option('--model <slug>', 'only what this model served')
    .option('--key <id>', 'only requests with this key')
    .option('--user <text>', 'only requests for this user of the client')
    .addOption(new Option('--format <format>', 'how it is written').choices(USAGE_EXPORT_FORMATS).default('csv'))
    .option('--output <file>', 'a file instead of standard output')
    .option(...YES_OPTION)
    .action((options: UsageExportOptions, command: Command) => exportUsageRecords(runtime, command, options));
}

function withPeriod(command: Command): Command {
  return command
    .option('--from <when>', 'a day, a time, or a span back from now such as 7d', pastTimeValue)
    .option('--to <when>', 'the same; not included', pastTimeValue);
}
