import type { Command } from 'commander';
import { EXIT_CODES } from '../../program/command-failure.js';
import type { CommandRuntime } from '../../program/command-runtime.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';

export function addAuditCommands(program: Command, runtime: CommandRuntime): void {
  program.command('audit').description('the audit trail')
    .command('verify').description('recompute the chain of hashes; exit code 1 when an entry was changed')
    .action((_options: unknown, command: Command) => runtime.perform(command, verifyAuditTrail));
}

async function verifyAuditTrail({ store }: OperatorSession): Promise<Report> {
  const { entries, firstBrokenEntry } = await store.auditTrail.verifyAuditTrail();
  return {
    json: { entries, first_broken_entry: firstBrokenEntry },
    lines: [firstBrokenEntry === null ? `${entries} entries, all as they were written` : `entry ${firstBrokenEntry} of ${entries} is not as it was written`],
    exitCode: firstBrokenEntry === null ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}
