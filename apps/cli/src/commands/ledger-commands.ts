import { type BookedRequest, type Disagreement, findDisagreements } from '@tollgate/core';
import type { Command } from 'commander';
import { encodeBookedRequest } from '../encoding/encode-usage.js';
import { CommandFailure, EXIT_CODES, type Report, table } from '../program/report.js';
import type { OperatorSession } from '../program/operator-session.js';
import { bookedRequestLines } from './booked-request-lines.js';
import type { CommandRuntime } from '../program/command-runtime.js';

export function addLedgerCommands(program: Command, runtime: CommandRuntime): void {
  const ledger = program.command('ledger').description('the books');
  ledger.command('verify').description('recompute every sum in the books; exit code 1 if one differs')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Recomputing the books …');
      return runtime.perform(command, verifyLedger);
    });
  ledger.command('explain').description('explain one charge, from its tokens to its ledger entries; exit code 1 if they disagree or the request is unknown')
    .argument('<request>', 'its id (req_…, the header x-request-id of its reply) or its reservation\'s (rsv_…)')
    .action((request: string, _options: unknown, command: Command) => runtime.perform(command, (session) => explainRequest(session, request)));
}

async function verifyLedger({ store }: OperatorSession): Promise<Report> {
  const { accounts, entries, usageRecords, differences } = await store.ledgerAudit.verify();
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

/** Everything the books hold of one request, from its tokens to its ledger entries, and whether the parts agree. */
async function explainRequest({ store }: OperatorSession, id: string): Promise<Report> {
  const booked = await store.books.find(id);
  if (booked === null) {
    throw new CommandFailure(`the books have no request or reservation ${id}: it was refused before it was reserved, or never sent`);
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
