import { ALL_ACCOUNTS, type ApiKeyId, exportUsage, type ModelSlug, NO_USAGE_FILTERS, type UsageExportQuery, type UsageScope } from '@tollgate/core';
import { usageExportForm, type UsageExportFormat, usageExportText } from '@tollgate/wire-kit';
import type { Command } from 'commander';
import { misuse } from '../program/command-failure.js';
import type { Report } from '../program/report.js';
import type { CommandRuntime } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type Append, confirmOutput, writeWholeFile } from '../program/output-file.js';
import { findAccount } from '../program/find-account.js';
import type { PeriodOptions } from '../program/period-options.js';

export interface UsageExportOptions extends PeriodOptions {
  readonly account?: string;
  readonly all?: true;
  readonly model?: string;
  readonly key?: string;
  readonly user?: string;
  readonly format: UsageExportFormat;
  /** Whether a CSV file begins with a byte order mark. */
  readonly bom: boolean;
  readonly output?: string;
}

/** Writes usage records to standard output or to a file, in constant memory. */
export async function exportUsageRecords(runtime: CommandRuntime, command: Command, options: UsageExportOptions): Promise<void> {
  const { account, all, output } = options;
  if ((account === undefined) !== (all === true)) throw misuse('exactly one of the options --account and --all is needed');
  const path = output === undefined ? null : await confirmOutput(runtime, command, output);
  await runtime.perform(command, async (session): Promise<Report | null> => {
    const writing = { session, options, progress: runtime.progressOf(command) };
    if (path === null) {
      await writeRecords((text) => runtime.write(text), writing);
      return null;
    }
    const records = await writeWholeFile(path, (append) => writeRecords(append, writing));
    return { json: { file: path, records }, lines: [`${grouped(records)} records in ${path}`] };
  });
}

const RECORDS_BETWEEN_WORDS = 100_000;

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

async function scopeOf(session: OperatorSession, { account }: UsageExportOptions): Promise<UsageScope> {
  return account === undefined ? ALL_ACCOUNTS : (await findAccount(session, account)).id;
}

async function queryOf(session: OperatorSession, options: UsageExportOptions): Promise<UsageExportQuery> {
  const at = session.clock.now();
  return {
    ...NO_USAGE_FILTERS,
    accountId: await scopeOf(session, options),
    at,
    from: options.from?.(at) ?? null,
    to: options.to?.(at) ?? null,
    model: (options.model ?? null) as ModelSlug | null,
    keyId: (options.key ?? null) as ApiKeyId | null,
    attribution: options.user ?? null,
  };
}

interface Writing {
  readonly session: OperatorSession;
  readonly options: UsageExportOptions;
  readonly progress: (text: string) => void;
}

async function writeRecords(append: Append, { session, options, progress }: Writing): Promise<number> {
  const steps = exportUsage(session.store.usage, await queryOf(session, options));
  let [written, told] = [0, 0];
  for await (const { text, records } of usageExportText(usageExportForm(options.format, { reader: 'operator', bom: options.bom }), steps)) {
    await append(text);
    written += records;
    if (written - told < RECORDS_BETWEEN_WORDS) continue;
    told = written;
    progress(`${grouped(written)} records …`);
  }
  progress(`${grouped(written)} records exported`);
  return written;
}
