import type { Command } from 'commander';
import { EXIT_CODES } from '../../program/command-failure.js';
import type { CommandRuntime } from '../../program/command-runtime.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';

export function addLedgerCommands(program: Command, runtime: CommandRuntime): void {
  program.command('ledger').description('the books')
    .command('verify').description('recompute what the stored figures must sum to; exit code 1 when something differs')
    .action((_options: unknown, command: Command) => runtime.perform(command, verifyLedger));
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
