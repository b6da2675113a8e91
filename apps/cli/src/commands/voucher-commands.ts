import {
  type CreateVouchers, type Instant, type IssuedVouchers, MAX_VOUCHER_DAYS, MAX_VOUCHER_USES, MAX_VOUCHERS_PER_BATCH, PAGE_SIZES, type ServiceTokens, type VoucherBatch, type VoucherBatchId,
  voucherBatchState, type VoucherUse,
} from '@tollgate/core';
import { encodeVoucherBatch, encodeVoucherUse, voucherCodesCsv } from '@tollgate/wire-kit';
import { type Command, InvalidArgumentError } from 'commander';
import { asMisuse, CommandFailure, misuse } from '../program/command-failure.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { withFormerNames } from '../program/former-names.js';
import { amountValue, endTimeValue, nameValue, pageSizeOption, type TimeValue } from '../program/option-values.js';
import { confirmOutput, writeWholeFile } from '../program/output-file.js';
import { list, type Report, type ReportPart, shortened, table, time } from '../program/report.js';

const BATCH_ARGUMENT = ['<batch>', 'its id (vbatch_…)'] as const;
const CURSOR_OPTION = ['--cursor <text>', 'continue where an earlier list ended'] as const;
const INVALID_CURSOR = 'option \'--cursor <text>\' is not a cursor of this list';

interface CreateOptions {
  readonly tokens: ServiceTokens;
  readonly count: number;
  readonly uses: number;
  readonly expires?: TimeValue;
  readonly creditDays?: number;
  readonly note?: string;
  readonly output?: string;
  /** Whether the CSV file begins with a byte order mark. */
  readonly bom: boolean;
}

interface PageOptions { readonly limit: number; readonly cursor?: string }

type CreateAction = [name: string, options: CreateOptions, command: Command];
type ListAction = [options: PageOptions, command: Command];
type BatchAction<Options> = [batch: string, options: Options, command: Command];

export function addVoucherCommands(program: Command, runtime: CommandRuntime): void {
  const vouchers = program.command('vouchers').description('codes that owners redeem for credit');
  withFormerNames(vouchers.command('create').description('create a batch of codes, as CSV on standard output or in a file; they are shown once')
    .argument('<name>', 'a name to tell it from other batches', nameValue)
    .requiredOption('--tokens <amount>', 'service tokens that one redemption adds to a balance', amountValue)
    .option('--count <number>', `how many codes, at most ${MAX_VOUCHERS_PER_BATCH}`, countUpTo(MAX_VOUCHERS_PER_BATCH), 1)
    .option('--uses <number>', `how many accounts can redeem one code, at most ${MAX_VOUCHER_USES}`, countUpTo(MAX_VOUCHER_USES), 1)
    .option('--expires <when>', 'when the codes expire: a day (its end, in UTC), a time, or a span from now such as 30d (default: never)', endTimeValue)
    .option('--credit-days <number>', `how many days after its redemption the credit expires, at most ${MAX_VOUCHER_DAYS} (default: never)`, countUpTo(MAX_VOUCHER_DAYS))
    .option('--note <text>', 'a note for operators').option('--output <file>', 'a file instead of standard output, readable by you only')
    .option('--no-bom', 'leave out the byte order mark by which spreadsheets know that a CSV file is UTF-8').option(...YES_OPTION), runtime, { out: 'output' })
    .action((...[name, options, command]: CreateAction) => createVouchers(runtime, command, { name, options }));
  vouchers.command('list').description('batches of vouchers, newest first').option(...CURSOR_OPTION).option(...pageSizeOption(PAGE_SIZES.vouchers.commandLine))
    .action((...[options, command]: ListAction) => runtime.perform(command, (session) => listBatches(session, options)));
  vouchers.command('show').description('a batch and its redemptions, newest first').argument(...BATCH_ARGUMENT).option(...CURSOR_OPTION)
    .option(...pageSizeOption(PAGE_SIZES.vouchers.commandLine))
    .action((...[batch, options, command]: BatchAction<PageOptions>) => runtime.perform(command, (session) => showBatch(session, batch, options)));
  vouchers.command('revoke').description('stop all codes of a batch that have uses left, permanently').argument(...BATCH_ARGUMENT).option(...YES_OPTION)
    .action(async (...[batch, , command]: BatchAction<unknown>) => {
      await runtime.confirm(command, `The codes of ${batch} can no longer be redeemed. Credit that was given stays.`);
      await runtime.perform(command, (session) => revokeBatch(session, batch));
    });
}

function countUpTo(most: number) {
  return (text: string): number => {
    const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return count;
  };
}

interface Creation { readonly name: string; readonly options: CreateOptions }

async function createVouchers(runtime: CommandRuntime, command: Command, { name, options }: Creation): Promise<void> {
  const { output, bom } = options;
  const path = output === undefined ? null : await confirmOutput(runtime, command, output);
  const isJson = command.optsWithGlobals<{ readonly json?: true }>().json === true;
  await runtime.perform(command, async (session): Promise<Report | null> => {
    const creation = termsOf(name, options, session.clock.now());
    if (path !== null) {
      const issued = await handOver(session, creation, (made) => writeWholeFile(path, (append) => append(csvOf(made, bom))));
      return fileReport(path, issued, session.clock.now());
    }
    if (isJson) return jsonReport(await issue(session, creation), session.clock.now());
    await handOver(session, creation, (made) => runtime.write(csvOf(made, bom)));
    return null;
  });
}

function termsOf(name: string, { tokens, count, uses, expires, creditDays, note }: CreateOptions, now: Instant): CreateVouchers {
  return { name, note: note ?? null, amount: tokens, vouchers: count, usesPerVoucher: uses, expiresAt: expires?.(now) ?? null, creditExpiresAfterDays: creditDays ?? null };
}

function issue(session: OperatorSession, creation: CreateVouchers): Promise<IssuedVouchers> {
  return asMisuse(session.vouchers.create(creation, session.act()));
}

/** Revokes the batch if its codes cannot be written: they cannot be shown again. */
async function handOver(session: OperatorSession, creation: CreateVouchers, write: (issued: IssuedVouchers) => Promise<void>): Promise<IssuedVouchers> {
  const issued = await issue(session, creation);
  try {
    await write(issued);
    return issued;
  } catch (cause) {
    await session.vouchers.revoke(issued.batch.id, session.act());
    throw new CommandFailure(`the codes could not be written, so the batch ${issued.batch.id} is revoked: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function csvOf({ batch, codes }: IssuedVouchers, bom: boolean): string {
  return voucherCodesCsv(batch, codes, { bom });
}

function fileReport(file: string, { batch }: IssuedVouchers, now: Instant): Report {
  return { json: { batch: encodeVoucherBatch(batch, now), file }, lines: [`Batch ${batch.id} was created. Its codes are in ${file}; they are not shown again.`] };
}

function jsonReport({ batch, codes }: IssuedVouchers, now: Instant): Report {
  return { json: { batch: encodeVoucherBatch(batch, now), codes: codes.map((code) => code.reveal()) }, lines: [] };
}

async function listBatches({ vouchers, clock }: OperatorSession, { limit, cursor }: PageOptions): Promise<Report> {
  const page = await vouchers.list({ limit, cursor: cursor ?? null });
  if (page === null) throw misuse(INVALID_CURSOR);
  const now = clock.now();
  const rows = page.batches.map((batch) => [
    batch.id, shortened(batch.name), batch.amount.toString(), batch.vouchers, batch.usesPerVoucher, batch.uses, voucherBatchState(batch, now), time(batch.expiresAt, 'never'), time(batch.createdAt),
  ]);
  return {
    json: { batches: page.batches.map((batch) => encodeVoucherBatch(batch, now)), next_cursor: page.nextCursor },
    lines: rows.length === 0
      ? ['There is no batch. `tollgate vouchers create NAME --tokens AMOUNT` creates one.']
      : [...table(['ID', 'NAME', 'TOKENS', 'CODES', 'USES PER CODE', 'USES', 'STATUS', 'EXPIRES', 'CREATED'], rows), ...moreOf(page.nextCursor)],
  };
}

async function showBatch({ vouchers, clock }: OperatorSession, id: string, { limit, cursor }: PageOptions): Promise<Report> {
  const batch = await vouchers.find(id as VoucherBatchId);
  if (batch === null) throw new CommandFailure(`there is no batch ${id}; \`tollgate vouchers list\` shows them`);
  const page = await vouchers.uses(batch.id, { limit, cursor: cursor ?? null });
  if (page === null) throw misuse(INVALID_CURSOR);
  const now = clock.now();
  return {
    json: { batch: encodeVoucherBatch(batch, now), uses: page.uses.map(encodeVoucherUse), next_cursor: page.nextCursor },
    lines: [...factsOf(batch, now), ...(page.uses.length === 0 ? [] : ['', ...table(['USE', 'CODE', 'ACCOUNT', 'TOKENS', 'REDEEMED', 'CREDIT EXPIRES'], page.uses.map(cellsOf))]), ...moreOf(page.nextCursor)],
  };
}

function factsOf(batch: VoucherBatch, now: Instant): readonly ReportPart[] {
  return list({
    id: batch.id, name: batch.name, note: batch.note, status: voucherBatchState(batch, now), tokens: batch.amount.toString(), codes: batch.vouchers, 'uses per code': batch.usesPerVoucher,
    uses: batch.uses, expires: time(batch.expiresAt, 'never'), 'credit expires': batch.creditExpiresAfterDays === null ? 'never' : `after ${batch.creditExpiresAfterDays} days`,
    created: time(batch.createdAt),
  });
}

function cellsOf({ number, hint, accountId, amount, at, creditExpiresAt }: VoucherUse) {
  return [number, hint, accountId, amount.toString(), time(at), time(creditExpiresAt, 'never')];
}

function moreOf(cursor: string | null): readonly string[] {
  return cursor === null ? [] : [`There are more: --cursor '${cursor}'`];
}

async function revokeBatch(session: OperatorSession, id: string): Promise<Report> {
  const by = session.act();
  const batch = await session.vouchers.revoke(id as VoucherBatchId, by);
  if (batch === null) throw new CommandFailure(`there is no batch ${id}, or it is revoked; \`tollgate vouchers list\` shows them`);
  return { json: { batch: encodeVoucherBatch(batch, by.at) }, lines: [`Batch ${id} is revoked; ${batch.uses} of its codes' uses were made before.`] };
}
