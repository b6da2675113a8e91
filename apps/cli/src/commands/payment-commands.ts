import { currencyDecimal, GatewayError, PAGE_SIZES, type Payment, paymentCreditExpiryOf, type PaymentDetail, type PaymentId, PAYMENT_STATES, type PaymentState } from '@tollgate/core';
import { encodePayment, encodePaymentDetail } from '@tollgate/wire-kit';
import { type Command, InvalidArgumentError } from 'commander';
import { asFailure, CommandFailure } from '../program/command-failure.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import { findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { pageSizeOption } from '../program/option-values.js';
import { type PeriodOptions, withPeriod } from '../program/period-options.js';
import { type Cell, list, type Report, type ReportPart, table, time } from '../program/report.js';

const PAYMENT_ARGUMENT = ['<payment>', 'its id (pay_…)'] as const;
const PAYMENT_ID = /^pay_[A-Za-z0-9_-]{1,64}$/;

interface ListOptions extends PeriodOptions {
  readonly account?: string;
  readonly state?: PaymentState;
  readonly provider?: string;
  readonly uncovered?: true;
  readonly cursor?: PaymentId;
  readonly limit: number;
}

interface RefundOptions { readonly amount?: string; readonly reason: string }

type ListAction = [options: ListOptions, command: Command];
type PaymentAction<Options> = [payment: string, options: Options, command: Command];

export function addPaymentCommands(program: Command, runtime: CommandRuntime): void {
  const payments = program.command('payments').description('payments of owners for credit');
  withPeriod(payments.command('list').description('payments of all accounts, newest first'), runtime, 'only those that were started')
    .option('--account <account>', 'only of this account: its id or e-mail address').option('--state <state>', `only in this state: ${PAYMENT_STATES.join(', ')}`, stateValue)
    .option('--provider <provider>', 'only of this provider: sandbox or stripe')
    .option('--uncovered', 'only those whose refunds or disputes could not be taken in full')
    .option('--cursor <payment>', 'continue where an earlier list ended', cursorValue).option(...pageSizeOption(PAGE_SIZES.payments.commandLine))
    .action((...[options, command]: ListAction) => runtime.perform(command, (session) => listPayments(session, options)));
  payments.command('show').description('a payment with its refunds and disputes').argument(...PAYMENT_ARGUMENT)
    .action((...[payment, , command]: PaymentAction<unknown>) => runtime.perform(command, async (session) => reportDetail(await foundPayment(session, payment))));
  payments.command('refund').description('ask the provider to refund a payment; the tokens are taken when it reports the refund').argument(...PAYMENT_ARGUMENT)
    .option('--amount <amount>', 'a part, in the currency of the payment (default: all that is left)').requiredOption('--reason <text>', 'why, for the ledger').option(...YES_OPTION)
    .action(async (...[payment, options, command]: PaymentAction<RefundOptions>) => {
      await runtime.confirm(command, `The customer gets back ${options.amount ?? 'all that is left'} of ${payment}, and its tokens are taken from the balance.`);
      await runtime.perform(command, (session) => refund(session, payment, options));
    });
  payments.command('check').description('ask the provider about a payment, and book what it says').argument(...PAYMENT_ARGUMENT)
    .action((...[payment, , command]: PaymentAction<unknown>) => runtime.perform(command, (session) => check(session, payment)));
}

function stateValue(text: string): PaymentState {
  const state = PAYMENT_STATES.find((known) => known === text);
  if (state === undefined) throw new InvalidArgumentError(`It must be one of ${PAYMENT_STATES.join(', ')}.`);
  return state;
}

function cursorValue(text: string): PaymentId {
  if (!PAYMENT_ID.test(text)) throw new InvalidArgumentError('It must be the id of a payment.');
  return text as PaymentId;
}

async function listPayments(session: OperatorSession, { account, state, provider, from, to, uncovered, cursor, limit }: ListOptions): Promise<Report> {
  const accountId = account === undefined ? null : (await findAccount(session, account)).id;
  const now = session.clock.now();
  const { payments, next } = await session.store.payments.list({
    accountId, state: state ?? null, provider: provider ?? null, start: from?.(now) ?? null, end: to?.(now) ?? null, isUncovered: uncovered === true, after: cursor ?? null, limit,
  });
  const rows = payments.map((payment) => [payment.id, time(payment.createdAt), payment.accountId, payment.provider, payment.state, priceOf(payment), payment.tokens.toString(), payment.uncovered.toString()]);
  return {
    json: { payments: payments.map(encodePayment), next_cursor: next },
    lines: rows.length === 0
      ? ['There is no payment.']
      : [...table(['ID', 'STARTED', 'ACCOUNT', 'PROVIDER', 'STATUS', 'PRICE', 'TOKENS', 'UNCOVERED'], rows), ...(next === null ? [] : [`There are more: --cursor ${next}`])],
  };
}

async function foundPayment({ store }: OperatorSession, id: string): Promise<PaymentDetail> {
  const detail = await store.payments.find(id as PaymentId);
  if (detail === null) throw noSuchPayment(id);
  return detail;
}

function noSuchPayment(id: string): CommandFailure {
  return new CommandFailure(`there is no payment ${id}; \`tollgate payments list\` shows them`);
}

function reportDetail(detail: PaymentDetail): Report {
  const { payment: { currency }, adjustments, requestedRefunds } = detail;
  return {
    json: encodePaymentDetail(detail),
    lines: [
      ...factsOf(detail.payment),
      ...(adjustments.length === 0 ? [] : ['', ...table(['REPORTED', 'ID', 'AMOUNT', 'STATUS', 'TOKENS', 'UNCOVERED'], adjustments.map(({ kind, id, amount, status, claimed, uncovered }) => [
        kind, id, currencyDecimal({ amount, currency }), status, claimed.toString(), uncovered.toString(),
      ]))]),
      ...(requestedRefunds.length === 0 ? [] : ['', ...table(['REQUESTED REFUND', 'AMOUNT', 'STATUS', 'REQUESTED'], requestedRefunds.map(({ id, amount, state, requestedAt }) => [
        id, currencyDecimal({ amount, currency }), state, time(requestedAt),
      ]))]),
    ],
  };
}

function factsOf(payment: Payment): readonly ReportPart[] {
  const { id, accountId, provider, reference, state, problem, tokens, packageId, refunded, currency, uncovered, createdAt, bookedAt, checkedAt } = payment;
  return list({
    id, account: accountId, provider, 'reference at the provider': reference, status: state, ...(problem === null ? {} : { problem }), price: priceOf(payment), tokens: tokens.toString(), package: packageId,
    refunded: `${currencyDecimal({ amount: refunded, currency })} ${currency}`, 'tokens not covered': uncovered.toString(), started: time(createdAt),
    booked: time(bookedAt, 'not booked'), 'credit expires': expiryOf(payment), 'provider asked': time(checkedAt, 'never'),
  });
}

function expiryOf(payment: Payment): Cell {
  const { creditExpiresAfterDays: days = null, bookedAt } = payment;
  if (days === null || bookedAt !== null) return time(bookedAt === null ? null : paymentCreditExpiryOf(payment, bookedAt), 'never');
  return `${days} ${days === 1 ? 'day' : 'days'} after the booking`;
}

function priceOf({ amount, currency }: Payment): string {
  return `${currencyDecimal({ amount, currency })} ${currency}`;
}

async function refund(session: OperatorSession, id: string, { amount, reason }: RefundOptions): Promise<Report> {
  const desk = await session.paymentDesk();
  const payment = await named(id, desk.refund({ id: id as PaymentId, amount: amount ?? null, reason }, session.act()));
  const request = (await desk.find(payment.id))?.requestedRefunds.at(-1);
  return { json: encodePayment(payment), lines: [`The refund of ${id} is requested.${request?.state === 'requested' ? UNCONFIRMED : ''}`, ...factsOf(payment)] };
}

const UNCONFIRMED = ' The provider has not confirmed it. A gateway repeats the request under the same id, so do not request it again.';

async function check(session: OperatorSession, id: string): Promise<Report> {
  const desk = await session.paymentDesk();
  const payment = await named(id, desk.checkAgain(id as PaymentId, session.act()));
  return { json: encodePayment(payment), lines: factsOf(payment) };
}

async function named<Result>(id: string, act: Promise<Result>): Promise<Result> {
  try {
    return await asFailure(act);
  } catch (thrown) {
    throw thrown instanceof GatewayError && thrown.code === 'not_found' ? noSuchPayment(id) : thrown;
  }
}
