import type { Command } from 'commander';
import { EXIT_CODES } from '../../program/command-failure.js';
import type { CommandRuntime } from '../../program/command-runtime.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { explainRequest } from './explain-request.js';

export function addLedgerCommands(program: Command, runtime: CommandRuntime): void {
  const ledger = program.command('ledger').description('the books');
  ledger.command('verify').description('recompute what the stored figures must sum to; exit code 1 when something differs')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Recomputing the books …');
      return runtime.perform(command, verifyLedger);
    });
  ledger.command('explain').description('one charge, from its tokens to its ledger entries; exit code 1 when they do not agree, or there is no such request')
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
