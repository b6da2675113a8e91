import {
  ALL_ACCOUNTS, type ApiKeyId, type DayRange, type FirstTokenFigures, firstTokenSummary, type Instant, MAX_SUMMARY_DAYS, type ModelSlug, PERIOD_UNITS, type PeriodUnit, summaryDays,
} from '@tollgate/core';
import { encodeFirstTokens } from '@tollgate/wire-kit';
import { type Command, Option } from 'commander';
import { misuse } from '../program/command-failure.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import { ACCOUNT_ARGUMENT, findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type PeriodOptions, withPeriod } from '../program/period-options.js';
import { type Report, table } from '../program/report.js';

const HEADINGS = ['REQUESTS', 'MEDIAN MS', '95 % MS'] as const;

interface FirstTokenOptions extends PeriodOptions {
  readonly by: PeriodUnit;
  readonly model?: string;
  readonly key?: string;
}

export function addFirstTokenCommand(usage: Command, runtime: CommandRuntime): void {
  const [, account] = ACCOUNT_ARGUMENT;
  withPeriod(usage.command('first-token').description('times to the first token over whole UTC days: median and 95th percentile of up to about 5,000 requests')
    .argument('[account]', `${account}; all accounts without it`), runtime, 'only requests that ended')
    .addOption(new Option('--by <period>', 'group by').choices(PERIOD_UNITS).default('day'))
    .option('--model <slug>', 'only requests that this model served')
    .option('--key <id>', 'only requests with this key')
    .action((named: string | undefined, options: FirstTokenOptions, command: Command) => runtime.perform(command, (session) => timeFirstTokens(session, named, options)));
}

function daysOf({ from, to }: PeriodOptions, now: Instant): DayRange {
  const days = summaryDays({ from: from?.(now) ?? null, to: to?.(now) ?? null }, now);
  if (days === 'reversed') throw misuse('option \'--from <when>\' must be earlier than \'--to <when>\'');
  if (days === 'too-many') throw misuse(`option '--from <when>' must be at most ${MAX_SUMMARY_DAYS} days before '--to <when>'`);
  return days;
}

function cellsOf({ requests, p50, p95 }: FirstTokenFigures): readonly number[] {
  return [requests, p50, p95];
}

async function timeFirstTokens(session: OperatorSession, idOrEmail: string | undefined, { by: unit, model, key, ...period }: FirstTokenOptions): Promise<Report> {
  const accountId = idOrEmail === undefined ? ALL_ACCOUNTS : (await findAccount(session, idOrEmail)).id;
  const asked = { ...daysOf(period, session.clock.now()), unit };
  const summary = await firstTokenSummary(session.store.usage, { ...asked, accountId, model: (model ?? null) as ModelSlug | null, keyId: (key ?? null) as ApiKeyId | null });
  const { periods, models, total, isSampled } = summary;
  return {
    json: encodeFirstTokens(asked, summary),
    lines: total === null ? ['There is no request with output in this period.'] : [
      ...table([unit.toUpperCase(), ...HEADINGS], [...periods.map((one) => [one.period, ...cellsOf(one)]), ['(all)', ...cellsOf(total)]]),
      '',
      ...table(['MODEL', ...HEADINGS], models.map((one) => [one.model, ...cellsOf(one)])),
      ...(isSampled ? ['', 'There may be more requests: of busy times, the newest are measured.'] : []),
    ],
  };
}
