import {
  type BookedRequest, type Disagreement, type Ending, explainCharge, explainLateSettlement,
  findDisagreements, type LateSettlement, type Reservation, rfc3339, ServiceTokens, type UsageRecord,
} from '@tollgate/core';
import type { StoreReader } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { CommandFailure } from '../program/command-failure.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import { list, type Report, type ReportPart, table } from '../program/report.js';
import { classLines } from '../program/class-lines.js';
import { encodeBookedRequest } from '../program/encode-booked-request.js';
import type { CommandRuntime } from '../program/command-runtime.js';

const REFUND_HEADINGS = ['REFUND', 'FROM', 'TO', 'AMOUNT', 'AT', 'BALANCE AFTER', 'REFERENCE', 'REASON'];
const ENTRY_HEADINGS = ['ENTRY', 'KIND', 'FROM', 'TO', 'AMOUNT', 'AT', 'BALANCE AFTER'];

function bookedRequestLines(booked: BookedRequest): readonly ReportPart[] {
  const { reservation, record, late } = booked;
  return [
    ...requestLines(booked),
    ...reservationLines(reservation),
    ...(record === null ? [] : ['', ...chargeLines(record, late === null ? 'Charged' : 'Charged at the checkpoint')]),
    ...(record === null || late === null ? [] : ['', ...lateLines(record, late)]),
    '',
    ...entryLines(booked),
    ...refundLines(booked),
  ];
}

function requestLines({ record, reservation, late }: BookedRequest): readonly ReportPart[] {
  const facts = record ?? reservation?.facts;
  if (facts === undefined) return [];
  return list({
    Request: facts.requestId,
    Account: facts.accountId,
    Key: facts.keyId ?? 'none',
    Format: `${facts.format ?? 'none'}, ${facts.streamed ? 'streamed' : 'whole'}`,
    Model: `${record?.service?.servedBy ?? 'none'}${record?.service?.fallbackUsed === true ? ' (a fallback)' : ''}, asked for as ${facts.requestedModel}`,
    Started: rfc3339(facts.startedAt),
    Ended: record === null ? 'still running' : endedAs(record),
    ...(late === null ? {} : { 'Settled late': endedAs(late.ending) }),
  });
}

function endedAs({ endedAt, reason, usage }: Ending): string {
  return `${rfc3339(endedAt)}, ${reason}; tokens ${usage.source}`;
}

function reservationLines(reservation: Reservation | null): readonly ReportPart[] {
  if (reservation === null) return ['Reservation: missing'];
  const { id, state, amount, expiresAt } = reservation;
  return list({ Reservation: `${id}, ${state}`, Held: `${amount.toString()} service tokens, extensions included, until ${rfc3339(expiresAt)} at the latest` });
}

function chargeLines(record: UsageRecord, charged: string): readonly ReportPart[] {
  const { lines, sum, rounding, computed } = explainCharge(record);
  return [
    ...(record.service === null ? ['No upstream served it, so nothing is charged.'] : classLines(lines, record.usdPerServiceToken)),
    '',
    ...list({
      Sum: sum,
      'Rounded up by': rounding,
      Computed: computed.toString(),
      'Written off': record.writeOff.toString(),
      ...(record.purchase === null ? {} : { [`Charged with other requests of the purchase ${record.purchase.firstRequestId}`]: record.purchase.covered.toString() }),
      [charged]: `${record.charge.amount.toString()} service tokens`,
      USD: `${record.charge.usd.toString()}, at ${record.usdPerServiceToken} for a service token`,
    }),
  ];
}

/** Lines of a late settlement: the actual usage at the record's prices, minus the amount covered before. */
function lateLines(record: UsageRecord, late: LateSettlement): readonly ReportPart[] {
  const { lines, computed, coveredBefore, chargedInAll } = explainLateSettlement(record, late);
  return [
    'Its process settled it after the sweeper had ended the reservation. Its actual usage:',
    ...classLines(lines, record.usdPerServiceToken),
    '',
    ...list({
      Computed: computed.toString(),
      'Covered before': coveredBefore.toString(),
      'Written off late': late.writeOff.toString(),
      ...(late.covered.isZero() ? {} : { 'Charged with other requests of the purchase': late.covered.toString() }),
      'Charged late': `${late.charged.toString()} service tokens`,
      'Charged in total': `${chargedInAll.amount.toString()} service tokens`,
      'USD in total': chargedInAll.usd.toString(),
    }),
  ];
}

function entryLines({ entries, record }: BookedRequest): readonly ReportPart[] {
  if (entries.length > 0) {
    return table(ENTRY_HEADINGS, entries.map(({ number, kind, debit, credit, amount, at, balanceAfter }) =>
      [number, kind, debit, credit, amount.toString(), rfc3339(at), balanceAfter.toString()]));
  }
  const isFree = record !== null && record.charge.amount.equals(ServiceTokens.ZERO) && record.writeOff.isZero();
  return [isFree ? 'No ledger entry: a charge of zero has none.' : 'No ledger entry.'];
}

function refundLines({ refunds, record, late }: BookedRequest): readonly ReportPart[] {
  if (refunds.length === 0) return [];
  const refunded = refunds.reduce((total, { amount }) => total.plus(amount), ServiceTokens.ZERO);
  const charged = (record?.charge.amount ?? ServiceTokens.ZERO).plus(late?.charged ?? ServiceTokens.ZERO);
  return [
    '',
    ...table(REFUND_HEADINGS, refunds.map(({ number, debit, credit, amount, at, balanceAfter, reference, reason }) =>
      [number, debit, credit, amount.toString(), rfc3339(at), balanceAfter.toString(), reference, reason])),
    '',
    ...list({ 'Refunded': `${refunded.toString()} service tokens`, 'Charged less refunds': `${charged.minus(refunded).toString()} service tokens` }),
  ];
}

export function addLedgerCommands(program: Command, runtime: CommandRuntime): void {
  const ledger = program.command('ledger').description('the ledger');
  ledger.command('verify').description('recompute every sum in the ledger; exit code 1 if one differs')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Recomputing the ledger …');
      return runtime.performReading(command, verifyLedger);
    });
  ledger.command('explain').description('explain one charge, from its tokens to its ledger entries; exit code 1 if they disagree or the request is unknown')
    .argument('<request>', 'its id (req_…, the header x-request-id of its reply) or its reservation\'s (rsv_…)')
    .action((request: string, _options: unknown, command: Command) => runtime.performReading(command, (reader) => explainRequest(reader, request)));
}

async function verifyLedger({ ledgerAudit }: StoreReader): Promise<Report> {
  const { accounts, entries, usageRecords, differences } = await ledgerAudit.verify();
  const rows = differences.map(({ invariant, accountId, expected, found }) => ({ invariant, account_id: accountId, expected, found }));
  return {
    json: { accounts, entries, usage_records: usageRecords, differences: rows },
    lines: [
      ...(rows.length === 0 ? [] : table(['INVARIANT', 'ACCOUNT', 'EXPECTED', 'FOUND'], rows.map((row) =>
        [row.invariant, row.account_id, row.expected, row.found]))),
      `${accounts} accounts, ${entries} entries, ${usageRecords} usage records: ${rows.length} differences`,
    ],
    exitCode: rows.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

/** Shows what the books contain about one request, from its tokens to its ledger entries, and whether these agree. */
async function explainRequest({ books }: StoreReader, id: string): Promise<Report> {
  const booked = await books.find(id);
  if (booked === null) {
    throw new CommandFailure(`the ledger has no request or reservation ${id}: the request was refused before a reservation was made, or never sent`);
  }
  const disagreements = findDisagreements(booked);
  return {
    json: { ...encodeBookedRequest(booked), agrees: disagreements.length === 0, disagreements: disagreements.map((one) => ({ ...one })) },
    lines: [...bookedRequestLines(booked), '', ...verdictLines(booked, disagreements)],
    exitCode: disagreements.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function verdictLines({ record }: BookedRequest, disagreements: readonly Disagreement[]): readonly string[] {
  if (disagreements.length > 0) return ['These do NOT agree:', ...disagreements.map(({ what, expected, found }) => `  ${what}: expected ${expected}, found ${found}`)];
  return [record === null
    ? 'All agree: the request is running, and nothing is charged yet.'
    : 'All agree: tokens and prices, reservation, usage record and ledger entries.'];
}
